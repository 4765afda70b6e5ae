-- How far the import of a file was when it was last looked at, so that one that was interrupted need
-- not read what is in. Losing a row costs time only: what is in the log already is a duplicate.
create table import_mark (
    file bytea primary key check (octet_length(file) = 32),
    read_bytes bigint not null check (read_bytes > 0),
    line bigint not null check (line > 0),
    appended bigint not null,
    duplicates bigint not null,
    conflicts bigint not null,
    refused bigint not null,
    refused_parts bigint not null,
    marked_at timestamptz(3) not null default clock_timestamp()
);
alter table import_mark alter file set storage external;

do $$
begin
    execute format('grant select, insert, update, delete on import_mark to %I',
        current_schema() || '_writer');
    execute format('grant select on import_mark to %I, %I', current_schema() || '_reader',
        current_schema() || '_auditor');
end $$;
