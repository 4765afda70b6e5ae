select first from log_partition() as first order by first
