-- $1 kinds, $2 bundles, $3 keys, $4 after which position, $5 up to which, $6 how many at most
select distinct timeline.position
from unnest($1::text[], $2::bytea[], $3::bytea[]) as wanted (kind, bundle, key)
join timeline using (kind, bundle, key)
where timeline.position > $4 and timeline.position <= $5
order by timeline.position limit $6
