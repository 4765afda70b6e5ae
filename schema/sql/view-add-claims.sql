-- A claim is opened by the first event that opens it, whenever that is taken over.
insert into claims (bundle, claim_id, opened_position, opened_at)
select distinct on (bundle, claim_id) bundle, claim_id, position, opened_at
from unnest($1::bytea[], $2::bytea[], $3::bigint[], $4::timestamptz[])
    as told (bundle, claim_id, position, opened_at)
order by bundle, claim_id, position
on conflict (bundle, claim_id) do update
set opened_position = excluded.opened_position, opened_at = excluded.opened_at
where excluded.opened_position < claims.opened_position
