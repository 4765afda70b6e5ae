-- $1 level, $2 number
select hashes from log_tile where level = $1 and number = $2
