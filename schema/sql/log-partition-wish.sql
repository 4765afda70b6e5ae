-- $1 how many positions a partition is to have; NULL leaves it as it is. Gives no row where nobody
-- has said it yet.
with wish as (
    insert into log_partitioning (width) select $1 where $1::bigint is not null
    on conflict (one) do update set width = excluded.width
    returning width
)
select width from wish
union all
select width from log_partitioning where not exists (select from wish)
