-- $1 the ledger's schema: whether it has a record of migrations.
select exists (
    select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = $1 and c.relname = 'schema_migration') as found
