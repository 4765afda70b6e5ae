-- A charge came, or found its order: the orders without one that tried to buy its product around
-- that time are due again.
update orders set review_at = $6
from unnest($1::text[], $2::bytea[], $3::bytea[], $4::timestamptz[], $5::timestamptz[])
    as near (kind, bundle, product_id, since, until)
join sighting using (kind, bundle, product_id)
where sighting.seen_at between near.since and near.until
    and orders.charge_count = 0 and orders.bundle = sighting.bundle
    and orders.order_number = sighting.id
