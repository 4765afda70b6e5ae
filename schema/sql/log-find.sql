-- $1 event keys
select e.position, received_at, recorded_at, time, e.event_key, source, id, type, subject, actor,
    order_number, transaction_id, original_transaction_id, bundle_id, environment, leaf,
    personal_digest, personal_salt, evidence, evidence_places, body, parts, personal
from log_keys($1) k join event_log e on e.position = k.position
