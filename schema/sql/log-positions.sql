-- $1 event keys
select event_key, position from event_log where event_key = any($1)
