-- Partitions of the log by range of position, for who wants them: nothing is partitioned until
-- log_partition() is called, and no row changes then either.

-- One row once somebody wanted partitions.
create table log_partitioning (
    one boolean primary key default true check (one),
    -- How many positions a new partition has.
    width bigint not null check (width between 1 and 1000000000000),
    -- The first position for which there is no partition yet but the default one.
    next bigint not null default 1 check (next > 0),
    -- Up to where event_key was filled while the log was not partitioned.
    keyed bigint not null default 0
);

-- The key of every event of a partitioned log: a unique index there covers one partition only.
create table event_key (
    event_key bytea primary key check (octet_length(event_key) = 16),
    position bigint not null
);
alter table event_key alter event_key set storage external;

-- Where the events of these keys stand. log_partition() makes it ask event_key. (No settings of its
-- own, so that it is a part of the statement that asks.)
create function log_keys(keys bytea[]) returns setof event_key language sql stable
    as 'select e.event_key, e.position from event_log e where e.event_key = any(keys)';

create function log_key() returns trigger
language plpgsql security definer set search_path from current as $$
begin
    insert into event_key select event_key, position from added;
    return null;
end $$;

create trigger event_key_refuse before update or delete or truncate on event_key
    for each statement execute function log_refuse();
alter table event_key enable always trigger event_key_refuse;

-- As in 0001, without asking every partition for its greatest position: the log has no gaps, so it
-- ends where no event follows.
create or replace function log_head_follow() returns trigger
language plpgsql set search_path from current as $$
begin
    if new.one <> old.one or new.log_id <> old.log_id or new.epoch < old.epoch then
        raise exception 'the identity of the log does not change and its epoch only grows'
            using errcode = 'restrict_violation';
    end if;
    if (new.size, new.recorded_at) is distinct from (old.size, old.recorded_at) and (
        new.size <= old.size
        or exists (select from event_log where position = new.size + 1)
        or new.recorded_at is distinct from
            (select e.recorded_at from event_log e where position = new.size))
    then
        raise exception 'the head of the log moves with its rows only'
            using errcode = 'restrict_violation';
    end if;
    return new;
end $$;

-- Keys of events that were there before the partitions; at most so many. Gives how many.
create function log_fill_keys(most bigint) returns bigint
language plpgsql set search_path from current as $$
declare
    known bigint;
    added bigint;
begin
    select keyed into strict known from log_partitioning for update;
    insert into event_key select event_key, position from event_log
        where position > known and position <= known + most;
    get diagnostics added = row_count;
    update log_partitioning set keyed = known + added;
    return added;
end $$;

-- What guards a partition when a statement names it and not the log. (Triggers for each row come
-- from the log's own table, those for each statement do not.)
create function log_guard(part text) returns void
language plpgsql set search_path from current as $$
begin
    execute format('create or replace trigger event_log_advance after insert on %I'
        ' referencing new table as added for each statement execute function log_advance()', part);
    execute format('create or replace trigger event_log_keys after insert on %I'
        ' referencing new table as added for each statement execute function log_key()', part);
    execute format('create or replace trigger event_log_refuse before delete or truncate on %I'
        ' for each statement execute function log_refuse()', part);
    execute format('alter table %I enable always trigger event_log_advance,'
        ' enable always trigger event_log_keys, enable always trigger event_log_refuse,'
        ' enable always trigger event_log_update', part);
end $$;

-- Makes a partition: for the positions from one up to and without another, or the default one.
create function log_add_partition(part text, first bigint default null, until bigint default null)
returns void
language plpgsql set search_path from current as $$
begin
    execute format('create table %I (like event_log including defaults including constraints'
        ' including storage)', part);
    -- To attach it lets readers and appends go on, unlike to create it as a partition.
    if first is null then
        execute format('alter table event_log attach partition %I default', part);
    else
        execute format('alter table event_log attach partition %I for values from (%s) to (%s)',
            part, first, until);
    end if;
    perform log_guard(part);
end $$;

-- The log's table becomes the first partition of a new one of the same name.
create function log_make_partitioned() returns void
language plpgsql set search_path from current as $$
declare
    ledger text := current_schema();
    writer text := quote_ident(ledger || '_writer');
    eraser text := quote_ident(ledger || '_eraser');
    readers text := concat_ws(', ', quote_ident(ledger || '_reader'),
        quote_ident(ledger || '_auditor'), writer, eraser);
    size bigint;
begin
    select h.size into strict size from log_head h for update;
    lock table event_log in access exclusive mode;
    if exists (
        select from pg_depend d join pg_rewrite r on r.oid = d.objid
        where d.classid = 'pg_rewrite'::regclass and d.refobjid = 'event_log'::regclass)
    then
        raise exception 'a view reads the log: drop it, and make it again afterwards'
            using errcode = 'dependent_objects_still_exist';
    end if;
    perform log_fill_keys(9223372036854775807 - (select keyed from log_partitioning));

    drop trigger event_log_update on event_log;
    alter table event_log drop constraint event_log_event_key_key;
    alter table event_log rename to event_log_p1;
    alter index event_log_pkey rename to event_log_p1_pkey;
    alter index event_log_type rename to event_log_p1_type_position_idx;
    execute 'revoke all on event_log_p1 from ' || readers;

    create table event_log (like event_log_p1 including defaults including constraints
        including storage) partition by range (position);
    alter table event_log add primary key (position);
    create index event_log_type on event_log (type, position);
    create trigger event_log_update before update on event_log
        for each row execute function log_erase_only();
    perform log_guard('event_log');
    execute 'grant select on event_log to ' || readers;
    execute 'grant insert on event_log to ' || writer;
    execute 'grant update (personal, personal_salt) on event_log to ' || eraser;

    update log_partitioning set next = (size / width + 1) * width + 1;
    execute format('alter table event_log attach partition event_log_p1 for values from (1) to (%s)',
        (select next from log_partitioning));
    perform log_guard('event_log_p1');
    perform log_add_partition('event_log_default');
    create or replace function log_keys(keys bytea[]) returns setof event_key language sql stable
        as 'select k.event_key, k.position from event_key k where k.event_key = any(keys)';
end $$;

-- What the default partition caught, because nobody made partitions in time, becomes a partition.
create function log_name_default() returns void
language plpgsql set search_path from current as $$
declare
    size bigint;
    first bigint;
    until bigint;
    part text;
begin
    select h.size into strict size from log_head h for update;
    select next, (size / width + 1) * width + 1 into strict first, until from log_partitioning;
    part := 'event_log_p' || first;
    alter table event_log detach partition event_log_default;
    execute format('alter table event_log_default rename to %I', part);
    execute format('alter index event_log_default_pkey rename to %I', part || '_pkey');
    execute format('alter index event_log_default_type_position_idx rename to %I',
        part || '_type_position_idx');
    execute format('alter table event_log attach partition %I for values from (%s) to (%s)',
        part, first, until);
    perform log_guard(part);
    perform log_add_partition('event_log_default');
    update log_partitioning set next = until;
end $$;

-- Makes partitions until two lie ahead of the log's end. Gives the first position of each new one.
-- To be called by the owner's role, from time to time; at most some hundred partitions at once.
create function log_partition() returns setof bigint
language plpgsql set search_path from current as $$
declare
    size bigint;
    part log_partitioning;
begin
    select * into strict part from log_partitioning for update;
    if (select relkind from pg_class where oid = 'event_log'::regclass) <> 'p' then
        perform log_make_partitioned();
        return next 1;
    end if;
    select h.size into strict size from log_head h;
    select * into strict part from log_partitioning;
    if size >= part.next then
        return next part.next;
        perform log_name_default();
    end if;
    loop
        select * into strict part from log_partitioning;
        exit when part.next > size + 1 + 2 * part.width;
        perform log_add_partition('event_log_p' || part.next, part.next, part.next + part.width);
        return next part.next;
        update log_partitioning set next = part.next + part.width;
    end loop;
end $$;

revoke all on function log_key(), log_fill_keys(bigint), log_guard(text),
    log_add_partition(text, bigint, bigint), log_make_partitioned(), log_name_default(),
    log_partition() from public;

do $$
declare
    ledger text := current_schema();
    readers text := concat_ws(', ', quote_ident(ledger || '_reader'),
        quote_ident(ledger || '_auditor'), quote_ident(ledger || '_writer'),
        quote_ident(ledger || '_eraser'));
begin
    execute 'grant select on event_key, log_partitioning to ' || readers;
end $$;
