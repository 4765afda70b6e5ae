-- $1 after which position, $2 how many at most, $3 bytes at most (the first event comes anyway)
select position, received_at, recorded_at, time, event_key, source, id, type, subject, actor,
    order_number, transaction_id, original_transaction_id, bundle_id, environment, leaf,
    personal_digest, personal_salt, evidence, evidence_places, body, parts, personal
from (
    select e.*, sum(octet_length(body) + octet_length(parts) + coalesce(octet_length(personal), 0))
        over (order by position rows between unbounded preceding and 1 preceding) as bytes_before
    from event_log e
    where position > $1
    order by position
    limit $2
) as page
where bytes_before is null or bytes_before < $3
order by position
