insert into claims (bundle, claim_id, opened_position, opened_at)
select * from unnest($1::bytea[], $2::bytea[], $3::bigint[], $4::timestamptz[])
on conflict (bundle, claim_id) do nothing
