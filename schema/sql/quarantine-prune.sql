-- $1 door or null for all, $2 days, $3 how many at most: deletes the oldest past their days.
delete from quarantine
where digest in (
    select digest from quarantine
    where (door = $1 or $1 is null) and kept_at < clock_timestamp() - make_interval(days => $2)
    order by kept_at
    limit $3)
