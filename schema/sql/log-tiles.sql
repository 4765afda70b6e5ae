-- $1 level, $2 the first number, $3 the number after the last
select number, root, hashes from log_tile
where level = $1 and number >= $2 and number < $3
order by number
