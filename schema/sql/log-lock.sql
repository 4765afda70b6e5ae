-- Locks the head: from here to the end of the transaction nobody else appends.
select size, recorded_at,
    greatest(recorded_at, date_trunc('milliseconds', clock_timestamp())) as instant,
    current_setting('fsync') as fsync,
    current_setting('synchronous_commit') as synchronous_commit
from log_head
for update
