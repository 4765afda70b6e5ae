insert into timeline (kind, bundle, key, position)
select * from unnest($1::text[], $2::bytea[], $3::bytea[], $4::bigint[])
on conflict do nothing
