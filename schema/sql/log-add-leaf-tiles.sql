-- Tiles of leaves. $1 their numbers, $2 their roots
insert into log_tile (level, number, root, hashes)
select 0, number, root, (
    select string_agg(leaf, '' order by position) from event_log
    where position > number * 256 and position <= (number + 1) * 256)
from unnest($1::bigint[], $2::bytea[]) as tile (number, root)
