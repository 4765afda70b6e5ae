select position, error, attempts, next_try_at, next_try_at <= clock_timestamp() as is_due
from projection_failure order by position limit $1
