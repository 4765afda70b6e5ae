select distinct timeline.position
from unnest($1::text[], $2::bytea[], $3::bytea[]) as wanted (kind, bundle, key)
join timeline using (kind, bundle, key)
where timeline.position <= $4
order by timeline.position limit $5
