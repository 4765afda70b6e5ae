-- $1 after which position, $2 up to which: the first event whose evidence has no row, and how many
-- such events there are
select min(position) as position, count(*) as events from event_log e
where position > $1 and position <= $2 and evidence <> '{}' and exists (
    select from unnest(e.evidence) as named (digest)
    where not exists (select from evidence v where v.digest = named.digest))
