-- A tile over the roots of 256 tiles. $1 its level, $2 its number, $3 its root
insert into log_tile (level, number, root, hashes)
select $1, $2, $3, (
    select string_agg(below.root, '' order by below.number) from log_tile below
    where below.level = $1 - 1 and below.number >= $2 * 256 and below.number < ($2 + 1) * 256)
