-- Gives a row for whatever does not stand as migration 0004 left it.
select 'table import_mark is missing' as finding where to_regclass('import_mark') is null
