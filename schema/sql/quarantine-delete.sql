-- $1 digest. The door's row is locked first, as by whoever refuses: its trigger changes it afterwards.
with door as materialized (
    select d.door from quarantine_door d join quarantine q using (door)
    where q.digest = $1 for update of d)
delete from quarantine where digest = $1 and (select count(*) from door) >= 0
