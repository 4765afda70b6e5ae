insert into entitlements (
    bundle, entitlement_id, transaction_id, product_id, kind, basis, state, quantity, since, until,
    will_renew, next_product_id, review_at)
select * from unnest(
    $1::bytea[], $2::bytea[], $3::bytea[], $4::bytea[], $5::text[], $6::text[], $7::text[],
    $8::bigint[], $9::timestamptz[], $10::timestamptz[], $11::boolean[], $12::bytea[],
    $13::timestamptz[])
on conflict (bundle, entitlement_id) do update set
    transaction_id = excluded.transaction_id, product_id = excluded.product_id,
    kind = excluded.kind, basis = excluded.basis, state = excluded.state,
    quantity = excluded.quantity, since = excluded.since, until = excluded.until,
    will_renew = excluded.will_renew, next_product_id = excluded.next_product_id,
    review_at = excluded.review_at
