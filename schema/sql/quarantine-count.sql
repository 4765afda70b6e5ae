-- $1 door, $2 reason, $3 refused, $4 logged, $5 kept: adds to the counts of the day (UTC).
insert into refusal_count as c (door, reason, day, refused, logged, kept)
values ($1, $2, (clock_timestamp() at time zone 'UTC')::date, $3, $4, $5)
on conflict (door, reason, day) do update
set refused = c.refused + excluded.refused,
    logged = c.logged + excluded.logged,
    kept = c.kept + excluded.kept
