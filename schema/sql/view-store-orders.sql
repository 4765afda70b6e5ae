insert into orders (
    bundle, order_number, product_id, first_attempt_at, last_attempt_at, status, verdict, action,
    charge_count, remarks, review_at)
select bundle, order_number, product_id, first_attempt_at, last_attempt_at, status, verdict, action,
    charge_count, coalesce(string_to_array(nullif(remarks, ''), ' '), '{}'), review_at
from unnest(
    $1::bytea[], $2::bytea[], $3::bytea[], $4::timestamptz[], $5::timestamptz[], $6::text[],
    $7::text[], $8::text[], $9::int[], $10::text[], $11::timestamptz[])
    as row (bundle, order_number, product_id, first_attempt_at, last_attempt_at, status, verdict,
        action, charge_count, remarks, review_at)
on conflict (bundle, order_number) do update set
    product_id = excluded.product_id, first_attempt_at = excluded.first_attempt_at,
    last_attempt_at = excluded.last_attempt_at, status = excluded.status,
    verdict = excluded.verdict, action = excluded.action, charge_count = excluded.charge_count,
    remarks = excluded.remarks, review_at = excluded.review_at
