-- $1 event keys
select event_key, position from log_keys($1)
