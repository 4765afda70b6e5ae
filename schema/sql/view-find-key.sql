-- What a name names, as of a position.
select kind, bundle, key, min(position) as first_position from timeline
where key = any ($1::bytea[]) and position <= $2
group by kind, bundle, key
order by kind, bundle, key limit $3
