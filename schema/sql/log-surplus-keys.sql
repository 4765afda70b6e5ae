-- Of a partitioned log. $1 up to which position the rows were checked: NULL, and how many keys there
-- are more than events. Beyond that position the head tells where the log ends by now.
select null::bigint as position,
    greatest(0, count(*) filter (where k.position between 1 and $1) - $1)
    + count(*) filter (where k.position < 1 or k.position > h.size) as keys
from log_head h left join event_key k on true
