-- The rows of a page, whose bounds log-set-page.sql sets; first the columns of the leaf in the order
-- of schema/leaf-encoding.md.
copy (
    select event_key, source, id, type, subject, time, received_at, actor, order_number,
        transaction_id, original_transaction_id, bundle_id, environment, evidence, evidence_places,
        body, parts, personal_digest, position, recorded_at, leaf, personal_salt, personal
    from event_log
    where position > current_setting('quittance.after')::bigint
        and position <= current_setting('quittance.up_to')::bigint
    order by position
) to stdout (format binary)
