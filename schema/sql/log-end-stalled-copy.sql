-- $1 process, $2 begin of its transaction, as log-stalled-copies.sql gave them: ends the session if it
-- still waits there.
select pg_terminate_backend(pid) from pg_stat_activity
where pid = $1 and xact_start::text = $2 and state = 'active' and wait_event = 'ClientRead'
    and query like 'copy event_log %'
