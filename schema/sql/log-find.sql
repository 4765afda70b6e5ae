-- $1 event keys
select position, received_at, recorded_at, time, event_key, source, id, type, subject, actor,
    order_number, transaction_id, original_transaction_id, bundle_id, environment, leaf,
    personal_digest, personal_salt, evidence, evidence_places, body, parts, personal
from event_log
where event_key = any($1)
