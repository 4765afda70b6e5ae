-- A charge came or found its order: orders without one, of its product and near it, are due again.
update orders set review_at = $5
from unnest($1::bytea[], $2::bytea[], $3::timestamptz[]) as charge (bundle, product_id, purchase_date)
where orders.charge_count = 0 and orders.bundle = charge.bundle
    and orders.product_id = charge.product_id
    and orders.last_attempt_at >= charge.purchase_date - $4 * interval '1 millisecond'
    and orders.first_attempt_at <= charge.purchase_date + $4 * interval '1 millisecond'
