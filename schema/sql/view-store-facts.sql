insert into facts (kind, bundle, id, facts)
select * from unnest($1::text[], $2::bytea[], $3::bytea[], $4::bytea[])
on conflict (kind, bundle, id) do update set facts = excluded.facts
