-- Gives a row for whatever does not stand as migration 0003 left it.
with wanted (name, relation) as (
    values ('log_head_tree', 'log_head'), ('log_head_whole', 'log_head'),
        ('log_tile_full', 'log_tile'), ('log_tile_refuse', 'log_tile')
), forbidden (suffix, privilege) as (
    select suffix, privilege
    from unnest(array['writer', 'reader', 'auditor', 'eraser']) as suffix,
        unnest(array['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) as privilege
    where not (suffix = 'writer' and privilege = 'INSERT')
), roles (suffix, name) as (
    select suffix, current_schema() || '_' || suffix
    from unnest(array['writer', 'reader', 'auditor', 'eraser']) as suffix
)
select format('trigger %s on %s is missing or not ENABLE ALWAYS', w.name, w.relation) as finding
from wanted w
where not exists (
    select from pg_trigger t
    where t.tgrelid = to_regclass(w.relation) and t.tgname = w.name and t.tgenabled = 'A')
union all
select format('role %s may %s log_tile', r.name, f.privilege)
from forbidden f join roles r using (suffix)
where exists (select from pg_roles p where p.rolname = r.name)
    and to_regclass('log_tile') is not null
    and has_table_privilege(r.name, to_regclass('log_tile'), f.privilege)
union all
select 'table log_tile is missing' where to_regclass('log_tile') is null
union all
select format('column log_tile.%s is compressed', a.attname)
from pg_attribute a
where a.attrelid = to_regclass('log_tile') and a.attnum > 0 and not a.attisdropped
    and a.attstorage <> 'e' and a.atttypid = 'bytea'::regtype
union all
select format('the tree covers %s of the log''s %s events: run `quittance schema up` again',
    tree_size, size)
from log_head where tree_size <> size
union all
select format('of level %s there are %s tiles, and %s are full', level, count(t.number), wanted)
from (
    select level, (tree_size / (256::numeric ^ (level + 1)))::numeric as ratio,
        floor(tree_size / (256::numeric ^ (level + 1)))::bigint as wanted
    from log_head, generate_series(0, 6) as level
) as l left join log_tile t using (level)
group by level, wanted
having count(t.number) <> wanted
