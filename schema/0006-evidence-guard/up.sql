-- Evidence comes with its bytes. A row without them looks like one that was erased, and what is there
-- stays: the genuine bytes would be dropped for ever when they come.
create function evidence_whole() returns trigger
language plpgsql set search_path from current as $$
begin
    if new.bytes is null then
        raise exception 'evidence comes with its bytes' using errcode = 'restrict_violation';
    end if;
    return new;
end $$;

create trigger evidence_whole before insert on evidence
    for each row execute function evidence_whole();
alter table evidence enable always trigger evidence_whole;

revoke all on function evidence_whole() from public;
