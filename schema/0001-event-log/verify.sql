-- Gives a row for whatever does not stand as migration 0001 left it.
with wanted (name, relation) as (
    values ('event_log_advance', 'event_log'), ('event_log_update', 'event_log'),
        ('event_log_refuse', 'event_log'), ('evidence_update', 'evidence'),
        ('evidence_refuse', 'evidence'), ('log_head_update', 'log_head'),
        ('log_head_refuse', 'log_head')
), roles (suffix, name) as (
    select suffix, current_schema() || '_' || suffix
    from unnest(array['owner', 'writer', 'reader', 'auditor', 'eraser']) as suffix
), forbidden (relation, suffix, privilege) as (
    select relation, suffix, privilege
    from unnest(array['event_log', 'evidence', 'log_head']) as relation,
        unnest(array['writer', 'reader', 'auditor', 'eraser']) as suffix,
        unnest(array['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) as privilege
    where not (suffix = 'writer' and privilege = 'INSERT' and relation <> 'log_head')
), tables (name) as (
    values ('event_log'), ('evidence'), ('log_head')
)
select format('trigger %s on %s is missing or not ENABLE ALWAYS', w.name, w.relation) as finding
from wanted w
where not exists (
    select from pg_trigger t
    where t.tgrelid = to_regclass(w.relation) and t.tgname = w.name and t.tgenabled = 'A')
union all
select format('role %s is missing', name) from roles
where not exists (select from pg_roles r where r.rolname = roles.name)
union all
select format('role %s may log in', name) from roles
where suffix = 'owner' and exists (
    select from pg_roles r where r.rolname = roles.name and r.rolcanlogin)
union all
select format('role %s may %s %s', r.name, f.privilege, f.relation)
from forbidden f join roles r using (suffix)
where exists (select from pg_roles p where p.rolname = r.name)
    and to_regclass(f.relation) is not null
    and has_table_privilege(r.name, to_regclass(f.relation), f.privilege)
union all
select format('table %s is missing', name) from tables where to_regclass(name) is null
union all
select format('table %s does not belong to the owner role', t.name)
from tables t join pg_class c on c.oid = to_regclass(t.name)
where pg_get_userbyid(c.relowner) <> current_schema() || '_owner'
union all
select format('column %s.%s is compressed', t.name, a.attname)
from tables t join pg_attribute a on a.attrelid = to_regclass(t.name)
where a.attnum > 0 and not a.attisdropped and a.attstorage <> 'e'
    and a.atttypid in ('bytea'::regtype, 'bytea[]'::regtype)
union all
select format('the head says %s, the log ends at %s', h.size, l.last)
from log_head h, (select coalesce(max(position), 0) as last from event_log) l
where h.size <> l.last
union all
select 'the log has no head' where not exists (select from log_head)
