-- $1 channel, $2 the last position
select pg_notify($1, $2)
