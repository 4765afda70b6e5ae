-- A sighting keeps the least position at which it was known, for answers as of a position.
insert into sighting (kind, bundle, product_id, seen_at, id, position)
select * from unnest(
    $1::text[], $2::bytea[], $3::bytea[], $4::timestamptz[], $5::bytea[], $6::bigint[])
on conflict (kind, bundle, product_id, seen_at, id)
do update set position = least(sighting.position, excluded.position)
