-- Locks the head: from here to the end of the transaction nobody else appends. $1 for durable
-- appends: what is acknowledged is on disk (a stronger setting stays), and whoever stops while it
-- holds the head delays the others by at most five seconds (in the middle of a COPY they end it,
-- log-stalled-copies.sql).
select size, epoch, recorded_at, tree_size, edge,
    greatest(recorded_at, date_trunc('milliseconds', clock_timestamp())) as instant,
    current_setting('fsync') as fsync,
    case when $1 then set_config('synchronous_commit', case current_setting('synchronous_commit')
        when 'remote_apply' then 'remote_apply' else 'on' end, true) end as synchronous_commit,
    case when $1 then set_config('idle_in_transaction_session_timeout', '5000', true) end as idle
from log_head
for update
