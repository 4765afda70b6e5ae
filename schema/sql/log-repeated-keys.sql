-- $1 up to which position: where the first event stands whose key stands before it, and how many such
-- keys there are. Asks the rows themselves, whatever indexes there are.
select min(again) as position, count(*) as keys
from (
    select max(position) as again from event_log where position between 1 and $1
    group by event_key having count(*) > 1
) as twice
