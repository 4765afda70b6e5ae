-- Of a partitioned log. $1 after which position, $2 up to which: the first event whose key is not
-- where it should be, and how many such events there are
select min(e.position) as position, count(*) as events
from event_log e left join event_key k on k.event_key = e.event_key
where e.position > $1 and e.position <= $2 and k.position is distinct from e.position
