-- The roles and the schema of a ledger, named by the setting quittance.schema; changes nothing that
-- is there. Needs a superuser, or CREATEROLE and the right to create a schema in the database.
do $$
declare
    ledger text := current_setting('quittance.schema');
    owner_role text := ledger || '_owner';
    suffix text;
    -- From version 16 on a member may not be allowed to SET ROLE.
    membership text := case when current_setting('server_version_num')::int >= 160000
        then 'SET' else 'MEMBER' end;
begin
    foreach suffix in array array['owner', 'writer', 'reader', 'auditor', 'eraser'] loop
        if not exists (select from pg_roles where rolname = ledger || '_' || suffix) then
            execute format('create role %I nologin', ledger || '_' || suffix);
            if suffix = 'writer' then
                -- An appender that stops while it holds the head delays the others by this much.
                execute format('alter role %I set idle_in_transaction_session_timeout = %L',
                    ledger || '_' || suffix, '5s');
            end if;
        end if;
    end loop;
    if not pg_has_role(current_user, owner_role, membership) then
        execute format('grant %I to current_user', owner_role);
    end if;
    if not exists (select from pg_namespace where nspname = ledger) then
        execute format('create schema %I authorization %I', ledger, owner_role);
    end if;
    execute format('set local role %I', owner_role);
    execute format('grant usage on schema %I to %I, %I, %I, %I', ledger, ledger || '_writer',
        ledger || '_reader', ledger || '_auditor', ledger || '_eraser');
    create table if not exists schema_migration (
        number integer primary key check (number > 0),
        name text not null,
        digest bytea not null check (octet_length(digest) = 32),
        applied_at timestamptz(3) not null default clock_timestamp(),
        applied_by text not null default session_user
    );
    execute format('grant select on schema_migration to %I, %I, %I, %I', ledger || '_writer',
        ledger || '_reader', ledger || '_auditor', ledger || '_eraser');
end $$
