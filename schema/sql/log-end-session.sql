-- $1 process of a session
select pg_terminate_backend($1)
