-- $1 the file, $2 how many bytes of it were read, $3 the next line, $4 to $8 the counts. Marks that
-- nobody came back to are deleted.
with old as (
    delete from import_mark where marked_at < clock_timestamp() - interval '30 days'
        and file <> $1
)
insert into import_mark as m (
    file, read_bytes, line, appended, duplicates, conflicts, refused, refused_parts)
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict (file) do update set
    read_bytes = excluded.read_bytes, line = excluded.line, appended = excluded.appended,
    duplicates = excluded.duplicates, conflicts = excluded.conflicts,
    refused = excluded.refused, refused_parts = excluded.refused_parts,
    marked_at = clock_timestamp()
