-- A charge came or found its order: the orders without one that tried to buy its product around
-- that time are due again.
update orders set review_at = $5
from unnest($1::bytea[], $2::bytea[], $3::timestamptz[]) as charge (bundle, product_id, seen_at)
join sighting as attempt on attempt.kind = 'attempt' and attempt.bundle = charge.bundle
    and attempt.product_id = charge.product_id
    and attempt.seen_at between charge.seen_at - $4 * interval '1 millisecond'
        and charge.seen_at + $4 * interval '1 millisecond'
where orders.charge_count = 0 and orders.bundle = attempt.bundle
    and orders.order_number = attempt.id
