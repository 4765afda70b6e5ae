-- Sessions of this user's that hold up another one of this database, in the middle of a COPY into the
-- log, and wait for their client; with their transaction and how far that has come.
select distinct holder.pid, holder.xact_start::text as begun, progress.bytes_processed
from pg_stat_activity waiting
    cross join unnest(pg_blocking_pids(waiting.pid)) as blocking (pid)
    join pg_stat_activity holder on holder.pid = blocking.pid
    join pg_stat_progress_copy progress on progress.pid = holder.pid
where waiting.datname = current_database() and waiting.wait_event_type = 'Lock'
    and holder.datname = current_database() and holder.usename = session_user
    and holder.state = 'active' and holder.wait_event = 'ClientRead'
    and holder.query like 'copy event_log %'
