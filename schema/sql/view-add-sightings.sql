-- A sighting keeps the least position at which it was known, for answers as of a position.
insert into charge_sighting (bundle, product_id, purchase_date, transaction_id, position)
select * from unnest($1::bytea[], $2::bytea[], $3::timestamptz[], $4::bytea[], $5::bigint[])
on conflict (bundle, product_id, purchase_date, transaction_id)
do update set position = least(charge_sighting.position, excluded.position)
