-- $1 after which position, $2 how many at most: events that carry evidence of which some part was
-- refused. The word stands in the judged parts; whether it is a judgement, the reader sees.
select position, received_at, recorded_at, time, event_key, source, id, type, subject, actor,
    order_number, transaction_id, original_transaction_id, bundle_id, environment, leaf,
    personal_digest, personal_salt, evidence, evidence_places, body, parts, personal
from event_log
where position > $1 and type <> 'evidence.reverified' and cardinality(evidence) > 0
    and position(convert_to('"refused"', 'UTF8') in parts) > 0
order by position
limit $2
