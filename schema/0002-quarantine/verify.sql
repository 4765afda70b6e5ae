-- Gives a row for whatever does not stand as migration 0002 left it.
select format('table %s is missing', name) as finding
from unnest(array['quarantine', 'quarantine_door', 'refusal_count']) as name
where to_regclass(name) is null
union all
select 'trigger quarantine_account is missing'
where not exists (
    select from pg_trigger
    where tgrelid = to_regclass('quarantine') and tgname = 'quarantine_account'
        and tgenabled <> 'D')
union all
select format('door %s counts %s items and holds %s', d.door, d.items, count(q.digest))
from quarantine_door d left join quarantine q using (door)
group by d.door, d.items
having d.items <> count(q.digest)
