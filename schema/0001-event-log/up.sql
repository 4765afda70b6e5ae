-- The event log: its head, its rows, the evidence, and the triggers that let them only grow.
-- Runs as <schema>_owner with search_path set to the schema and then pg_temp.

create table log_head (
    one boolean primary key default true check (one),
    log_id uuid not null default gen_random_uuid(),
    epoch bigint not null default 1 check (epoch > 0),
    size bigint not null default 0 check (size >= 0),
    recorded_at timestamptz(3) not null default to_timestamp(0)
);
insert into log_head default values;

create table event_log (
    position bigint primary key check (position > 0),
    received_at timestamptz(3) not null check (isfinite(received_at)),
    recorded_at timestamptz(3) not null check (isfinite(recorded_at)),
    time timestamptz(3) check (isfinite(time)),
    event_key bytea not null unique check (octet_length(event_key) = 16),
    source text not null check (octet_length(source) between 1 and 1024),
    id text not null check (octet_length(id) between 1 and 1024),
    type text not null check (octet_length(type) between 1 and 255),
    subject text check (octet_length(subject) <= 1024),
    actor text check (octet_length(actor) <= 1024),
    order_number bytea,
    transaction_id bytea,
    original_transaction_id bytea,
    bundle_id bytea,
    environment bytea,
    leaf bytea not null check (octet_length(leaf) = 32),
    personal_digest bytea not null check (octet_length(personal_digest) = 32),
    personal_salt bytea check (octet_length(personal_salt) = 32),
    evidence bytea[] not null default '{}',
    evidence_places int[] not null default '{}',
    body bytea not null,
    parts bytea not null,
    personal bytea,
    check (cardinality(evidence) = cardinality(evidence_places)),
    check ((personal is null) = (personal_salt is null))
);
alter table event_log
    alter event_key set storage external,
    alter order_number set storage external,
    alter transaction_id set storage external,
    alter original_transaction_id set storage external,
    alter bundle_id set storage external,
    alter environment set storage external,
    alter leaf set storage external,
    alter personal_digest set storage external,
    alter personal_salt set storage external,
    alter evidence set storage external,
    alter body set storage external,
    alter parts set storage external,
    alter personal set storage external;
-- Few types matter to commands (settings, policy, claims); they are read in the log's order.
create index event_log_type on event_log (type, position);

create table evidence (
    digest bytea primary key check (octet_length(digest) = 32),
    bytes bytea,
    size bigint not null check (size >= 0),
    first_received_at timestamptz(3) not null,
    check (bytes is null or (octet_length(bytes) = size and sha256(bytes) = digest))
);
alter table evidence
    alter digest set storage external,
    alter bytes set storage external;

-- New rows stand at exactly head+1 … head+n, in no earlier instant than the head's; the head goes
-- with them in the same statement, so head and log never disagree.
create function log_advance() returns trigger
language plpgsql security definer set search_path from current as $$
declare
    head log_head;
    added_count bigint;
    lowest bigint;
    highest bigint;
    earliest timestamptz;
    latest timestamptz;
begin
    select count(*), min(position), max(position), min(recorded_at), max(recorded_at)
        into added_count, lowest, highest, earliest, latest from added;
    if added_count = 0 then
        return null;
    end if;
    select * into strict head from log_head for update;
    if lowest <> head.size + 1 or highest <> head.size + added_count then
        raise exception 'the log''s next position is %', head.size + 1
            using errcode = 'restrict_violation';
    end if;
    if earliest < head.recorded_at or (earliest < latest and exists (
        select from (
            select recorded_at, lag(recorded_at) over (order by position) as previous from added
        ) as pair where recorded_at < previous))
    then
        raise exception 'an event of the log may not be recorded before its predecessor'
            using errcode = 'restrict_violation';
    end if;
    update log_head set size = highest, recorded_at = latest;
    return null;
end $$;

-- The head may only follow the log, whoever moves it.
create function log_head_follow() returns trigger
language plpgsql set search_path from current as $$
begin
    if new.one <> old.one or new.log_id <> old.log_id or new.epoch < old.epoch then
        raise exception 'the identity of the log does not change and its epoch only grows'
            using errcode = 'restrict_violation';
    end if;
    if (new.size, new.recorded_at) is distinct from (old.size, old.recorded_at) and (
        new.size <= old.size
        or new.size <> (select max(position) from event_log)
        or new.recorded_at <> (select e.recorded_at from event_log e where position = new.size))
    then
        raise exception 'the head of the log moves with its rows only'
            using errcode = 'restrict_violation';
    end if;
    return new;
end $$;

create function log_refuse() returns trigger
language plpgsql set search_path from current as $$
begin
    raise exception '% of % is refused: it only grows', tg_op, tg_table_name
        using errcode = 'restrict_violation';
end $$;

-- The eraser empties the personal values of a row, and changes nothing else. It must be the role
-- itself (SET ROLE): neither a superuser nor the owner is taken for it.
create function log_erase_only() returns trigger
language plpgsql set search_path from current as $$
declare
    restored event_log := new;
begin
    restored.personal := old.personal;
    restored.personal_salt := old.personal_salt;
    if current_user <> tg_table_schema || '_eraser' or new.personal is not null
        or new.personal_salt is not null or not (restored *= old)
    then
        raise exception 'UPDATE of % is refused: it only grows', tg_table_name
            using errcode = 'restrict_violation';
    end if;
    return new;
end $$;

create function evidence_erase_only() returns trigger
language plpgsql set search_path from current as $$
declare
    restored evidence := new;
begin
    restored.bytes := old.bytes;
    if current_user <> tg_table_schema || '_eraser' or new.bytes is not null
        or not (restored *= old)
    then
        raise exception 'UPDATE of % is refused: it only grows', tg_table_name
            using errcode = 'restrict_violation';
    end if;
    return new;
end $$;

create trigger event_log_advance after insert on event_log
    referencing new table as added for each statement execute function log_advance();
create trigger event_log_update before update on event_log
    for each row execute function log_erase_only();
create trigger event_log_refuse before delete or truncate on event_log
    for each statement execute function log_refuse();
create trigger evidence_update before update on evidence
    for each row execute function evidence_erase_only();
create trigger evidence_refuse before delete or truncate on evidence
    for each statement execute function log_refuse();
create trigger log_head_update before update on log_head
    for each row execute function log_head_follow();
create trigger log_head_refuse before delete or truncate on log_head
    for each statement execute function log_refuse();
-- Ordinary triggers sleep under session_replication_role = replica; these do not.
alter table event_log enable always trigger event_log_advance;
alter table event_log enable always trigger event_log_update;
alter table event_log enable always trigger event_log_refuse;
alter table evidence enable always trigger evidence_update;
alter table evidence enable always trigger evidence_refuse;
alter table log_head enable always trigger log_head_update;
alter table log_head enable always trigger log_head_refuse;

revoke all on function log_advance(), log_head_follow(), log_refuse(), log_erase_only(),
    evidence_erase_only() from public;

do $$
declare
    ledger text := current_schema();
    writer text := quote_ident(ledger || '_writer');
    eraser text := quote_ident(ledger || '_eraser');
    readers text := concat_ws(', ', quote_ident(ledger || '_reader'),
        quote_ident(ledger || '_auditor'), writer, eraser);
begin
    execute 'grant select on log_head, event_log, evidence to ' || readers;
    execute 'grant insert on event_log, evidence to ' || writer;
    -- To lock the head takes the right to update a column of it; the trigger guards the value.
    execute 'grant update (size) on log_head to ' || writer;
    execute 'grant update (personal, personal_salt) on event_log to ' || eraser;
    execute 'grant update (bytes) on evidence to ' || eraser;
end $$;
