-- Gives a row for whatever does not stand as migration 0006 left it.
select 'trigger evidence_whole on evidence is missing or not ENABLE ALWAYS' as finding
where not exists (
    select from pg_trigger t
    where t.tgrelid = to_regclass('evidence') and t.tgname = 'evidence_whole'
        and t.tgenabled = 'A')
