-- What was refused: outside the log, bounded in bytes and days, deletable.

create table quarantine (
    digest bytea primary key check (octet_length(digest) = 32),
    door text not null check (octet_length(door) between 1 and 255),
    reason text not null check (octet_length(reason) between 1 and 255),
    detail text check (octet_length(detail) <= 4096),
    received_at timestamptz(3) not null,
    kept_at timestamptz(3) not null default clock_timestamp(),
    size bigint not null check (size >= 0),
    bytes bytea not null
);
alter table quarantine
    alter digest set storage external,
    alter bytes set storage external;
create index quarantine_kept on quarantine (door, kept_at);

-- One row a door: what it holds, and how many refusals of it were logged in the current minute.
create table quarantine_door (
    door text primary key,
    bytes bigint not null default 0 check (bytes >= 0),
    items bigint not null default 0 check (items >= 0),
    minute timestamptz not null default to_timestamp(0),
    logged_in_minute integer not null default 0
);

-- Every refusal is counted, also those of which nothing else was kept.
create table refusal_count (
    door text not null,
    reason text not null,
    day date not null,
    refused bigint not null,
    logged bigint not null,
    kept bigint not null,
    primary key (door, reason, day)
);

-- Keeps the sums of quarantine_door true, whoever adds or deletes. Every item costs 512 bytes
-- beside its own, so that a flood of tiny ones has a bound too.
create function quarantine_account() returns trigger
language plpgsql security definer set search_path from current as $$
begin
    if tg_op = 'INSERT' then
        insert into quarantine_door as d (door, bytes, items)
            values (new.door, new.size + 512, 1)
            on conflict (door) do update
            set bytes = d.bytes + excluded.bytes, items = d.items + 1;
    else
        update quarantine_door set bytes = bytes - old.size - 512, items = items - 1
            where door = old.door;
    end if;
    return null;
end $$;
create trigger quarantine_account after insert or delete on quarantine
    for each row execute function quarantine_account();
revoke all on function quarantine_account() from public;

do $$
declare
    ledger text := current_schema();
    writer text := quote_ident(ledger || '_writer');
    auditor text := quote_ident(ledger || '_auditor');
    reader text := quote_ident(ledger || '_reader');
begin
    execute format('grant select, insert, delete on quarantine to %s', writer);
    execute format('grant select, insert, update on quarantine_door, refusal_count to %s', writer);
    execute format('grant select on quarantine, quarantine_door, refusal_count to %s', auditor);
    -- Refused bytes may hold anything, so a reader sees what was refused and not the bytes.
    execute format('grant select (digest, door, reason, detail, received_at, kept_at, size)'
        ' on quarantine to %s', reader);
    execute format('grant select on quarantine_door, refusal_count to %s', reader);
end $$;
