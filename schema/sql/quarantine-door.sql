-- $1 door: locks its row, and begins a new minute if one has begun.
insert into quarantine_door as d (door, minute)
values ($1, date_trunc('minute', clock_timestamp()))
on conflict (door) do update
set minute = excluded.minute,
    logged_in_minute = case when d.minute = excluded.minute then d.logged_in_minute else 0 end
returning bytes, logged_in_minute
