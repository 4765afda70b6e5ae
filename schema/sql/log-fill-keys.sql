-- $1 how many at most
select log_fill_keys($1) as added
