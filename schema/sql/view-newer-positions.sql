-- What the timeline holds of some keys, and up to where, as of one instant: a view reset in between
-- would leave one without the other. $1 kinds, $2 bundles, $3 keys, $4 after which position, $5 the
-- checkpoint's name, $6 how many positions at most, $7 how many at most that were set aside, which
-- have no timeline. One row at least; the views hold nothing (0) where they are of another epoch.
with place as (
    select coalesce((
        select least(c.position, h.size) from projection_checkpoint c
        where c.name = $5 and c.log_epoch = h.epoch), 0) as up_to
    from log_head h
), named as (
    select distinct timeline.position
    from unnest($1::text[], $2::bytea[], $3::bytea[]) as wanted (kind, bundle, key)
    join timeline using (kind, bundle, key)
    where timeline.position > $4 and timeline.position <= (select up_to from place)
    order by timeline.position limit $6
), aside as (
    select f.position from projection_failure f
    where f.position > $4 and f.position <= (select up_to from place)
    order by f.position limit $7
)
select place.up_to, found.position, found.set_aside
from place left join (
    select position, false as set_aside from named
    union all
    select position, true from aside
) as found on true
order by found.position
