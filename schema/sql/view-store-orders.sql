insert into orders (
    bundle, order_number, status, verdict, action, charge_count, remarks, review_at)
select bundle, order_number, status, verdict, action, charge_count,
    coalesce(string_to_array(nullif(remarks, ''), ' '), '{}'), review_at
from unnest(
    $1::bytea[], $2::bytea[], $3::text[], $4::text[], $5::text[], $6::int[], $7::text[],
    $8::timestamptz[])
    as row (bundle, order_number, status, verdict, action, charge_count, remarks, review_at)
on conflict (bundle, order_number) do update set
    status = excluded.status, verdict = excluded.verdict, action = excluded.action,
    charge_count = excluded.charge_count, remarks = excluded.remarks,
    review_at = excluded.review_at
