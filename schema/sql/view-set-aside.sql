insert into projection_failure (position, error, attempts, next_try_at)
values ($1, $2, 1, clock_timestamp() + interval '1 minute')
on conflict (position) do update set error = excluded.error,
    attempts = projection_failure.attempts + 1,
    next_try_at = clock_timestamp()
        + least(power(2, projection_failure.attempts), 1440) * interval '1 minute'
