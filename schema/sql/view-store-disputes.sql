insert into disputes (
    bundle, transaction_id, state, reason, is_overdue, requested_at, due_at, answered_at,
    granted_at, declined_at, reversed_at, review_at)
select * from unnest(
    $1::bytea[], $2::bytea[], $3::text[], $4::bytea[], $5::boolean[], $6::timestamptz[],
    $7::timestamptz[], $8::timestamptz[], $9::timestamptz[], $10::timestamptz[],
    $11::timestamptz[], $12::timestamptz[])
on conflict (bundle, transaction_id) do update set
    state = excluded.state, reason = excluded.reason, is_overdue = excluded.is_overdue,
    requested_at = excluded.requested_at, due_at = excluded.due_at,
    answered_at = excluded.answered_at, granted_at = excluded.granted_at,
    declined_at = excluded.declined_at, reversed_at = excluded.reversed_at,
    review_at = excluded.review_at
