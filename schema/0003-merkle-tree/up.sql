-- The tree over the log (RFC 6962): its size, root and right edge stand in the head, its full tiles
-- (C2SP tlog-tiles) in a table of their own. No row of the log changes; an existing log's tree is
-- built by the program that ran this migration.

alter table log_head
    add tree_size bigint not null default 0,
    add root bytea not null default sha256('') check (octet_length(root) = 32),
    add edge bytea not null default '',
    add check (tree_size between 0 and size),
    add check (octet_length(edge) = 32 * bit_count(tree_size::bit(64)));
alter table log_head
    alter root set storage external,
    alter edge set storage external;

-- The tile (level, number) holds 256 hashes of the tree's height 8 * level, and the root over them,
-- which is one hash of the tile above. What fills no tile yet is in the rows: leaves and roots.
create table log_tile (
    level smallint not null check (level between 0 and 6),
    number bigint not null check (number >= 0),
    root bytea not null check (octet_length(root) = 32),
    hashes bytea not null check (octet_length(hashes) = 8192),
    primary key (level, number)
);
alter table log_tile
    alter root set storage external,
    alter hashes set storage external;

-- The tree only grows.
create function log_tree_follow() returns trigger
language plpgsql set search_path from current as $$
begin
    if (new.tree_size, new.root, new.edge) is distinct from (old.tree_size, old.root, old.edge)
        and new.tree_size <= old.tree_size
    then
        raise exception 'the tree of the log only grows' using errcode = 'restrict_violation';
    end if;
    return new;
end $$;

-- Whoever adds rows adds their leaves in the same transaction.
create function log_tree_whole() returns trigger
language plpgsql set search_path from current as $$
declare
    head log_head;
begin
    select * into strict head from log_head;
    if head.tree_size <> head.size or (head.size >= 256 and not exists (
        select from log_tile where level = 0 and number = head.size / 256 - 1))
    then
        raise exception 'the tree covers % of the log''s % events', head.tree_size, head.size
            using errcode = 'restrict_violation';
    end if;
    return null;
end $$;

create function log_tile_full() returns trigger
language plpgsql set search_path from current as $$
begin
    if (new.number + 1) * 256 ^ (new.level + 1) > (select size from log_head) then
        raise exception 'the log does not fill this tile yet' using errcode = 'restrict_violation';
    end if;
    return new;
end $$;

create trigger log_head_tree before update on log_head
    for each row execute function log_tree_follow();
create constraint trigger log_head_whole after update on log_head
    deferrable initially deferred
    for each row when (old.size <> new.size) execute function log_tree_whole();
create trigger log_tile_full before insert on log_tile
    for each row execute function log_tile_full();
create trigger log_tile_refuse before update or delete or truncate on log_tile
    for each statement execute function log_refuse();
alter table log_head enable always trigger log_head_tree;
alter table log_head enable always trigger log_head_whole;
alter table log_tile enable always trigger log_tile_full;
alter table log_tile enable always trigger log_tile_refuse;

revoke all on function log_tree_follow(), log_tree_whole(), log_tile_full() from public;

do $$
declare
    ledger text := current_schema();
    writer text := quote_ident(ledger || '_writer');
    readers text := concat_ws(', ', quote_ident(ledger || '_reader'),
        quote_ident(ledger || '_auditor'), writer, quote_ident(ledger || '_eraser'));
begin
    execute 'grant select on log_tile to ' || readers;
    execute 'grant insert on log_tile to ' || writer;
    execute 'grant update (tree_size, root, edge) on log_head to ' || writer;
end $$;
