-- $1 the instant of recording; then one array a column. An array of arrays must be rectangular,
-- so the lists of evidence come as text.
insert into event_log (
    position, received_at, recorded_at, time, event_key, source, id, type, subject, actor,
    order_number, transaction_id, original_transaction_id, bundle_id, environment, leaf,
    personal_digest, personal_salt, evidence, evidence_places, body, parts, personal)
select position, received_at, $1, time, event_key, source, id, type, subject, actor,
    order_number, transaction_id, original_transaction_id, bundle_id, environment, leaf,
    personal_digest, personal_salt, evidence::bytea[], evidence_places::int[], body, parts, personal
from unnest($2::bigint[], $3::timestamptz[], $4::timestamptz[], $5::bytea[], $6::text[],
    $7::text[], $8::text[], $9::text[], $10::text[], $11::bytea[], $12::bytea[], $13::bytea[],
    $14::bytea[], $15::bytea[], $16::bytea[], $17::bytea[], $18::bytea[], $19::text[],
    $20::text[], $21::bytea[], $22::bytea[], $23::bytea[])
    as new (position, received_at, time, event_key, source, id, type, subject, actor,
        order_number, transaction_id, original_transaction_id, bundle_id, environment, leaf,
        personal_digest, personal_salt, evidence, evidence_places, body, parts, personal)
