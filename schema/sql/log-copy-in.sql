copy event_log (
    position, received_at, recorded_at, time, event_key, source, id, type, subject, actor,
    order_number, transaction_id, original_transaction_id, bundle_id, environment, leaf,
    personal_digest, personal_salt, evidence, evidence_places, body, parts, personal)
from stdin (format binary)
