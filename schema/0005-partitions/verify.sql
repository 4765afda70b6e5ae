-- Gives a row for whatever does not stand as migration 0005 and log_partition() left it.
with part (relation, isleaf) as (
    select t.relid, t.isleaf from to_regclass('event_log') as log (relation),
        pg_partition_tree(log.relation) as t
), key (relation, attribute) as (
    select to_regclass('event_log'), 'position'
    union
    select relation, 'position' from part
    union
    select to_regclass('event_key'), 'event_key'
    union
    -- Of a partitioned log event_key is a table.
    select to_regclass('event_log'), 'event_key' where not exists (select from part)
), wanted (name) as (
    values ('event_log_advance'), ('event_log_keys'), ('event_log_refuse'), ('event_log_update')
), roles (name) as (
    select current_schema() || '_' || suffix
    from unnest(array['writer', 'reader', 'auditor', 'eraser']) as suffix
)
select format('trigger %s on %s is missing or not ENABLE ALWAYS', w.name, p.relation) as finding
from wanted w, part p
where not exists (
    select from pg_trigger t
    where t.tgrelid = p.relation and t.tgname = w.name and t.tgenabled = 'A')
union all
select format('role %s may change %s by its own name', r.name, p.relation)
from roles r, part p
where p.isleaf and exists (select from pg_roles o where o.rolname = r.name)
    and has_table_privilege(r.name, p.relation, 'INSERT, UPDATE, DELETE, TRUNCATE')
union all
select format('role %s may change event_key', r.name)
from roles r
where to_regclass('event_key') is not null
    and exists (select from pg_roles o where o.rolname = r.name)
    and has_table_privilege(r.name, to_regclass('event_key'), 'INSERT, UPDATE, DELETE, TRUNCATE')
union all
select 'trigger event_key_refuse on event_key is missing or not ENABLE ALWAYS'
where not exists (
    select from pg_trigger t
    where t.tgrelid = to_regclass('event_key') and t.tgname = 'event_key_refuse'
        and t.tgenabled = 'A')
union all
select format('nothing keeps %s.%s unique', k.relation, k.attribute)
from key k
where k.relation is not null and not exists (
    select from pg_index i join pg_attribute a
        on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    where i.indrelid = k.relation and i.indisunique and i.indisvalid and i.indimmediate
        and i.indnkeyatts = 1 and i.indpred is null and a.attname = k.attribute)
union all
select format('there is no partition for position %s: run `quittance log partition`', h.size + 1)
from log_head h, log_partitioning p
where h.size + 1 >= p.next and exists (select from part)
