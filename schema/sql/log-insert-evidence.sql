-- $1 digests, $2 bytes, $3 instants of receipt. What is there stays, also what was emptied.
insert into evidence (digest, bytes, size, first_received_at)
select digest, bytes, octet_length(bytes), received_at
from unnest($1::bytea[], $2::bytea[], $3::timestamptz[]) as new (digest, bytes, received_at)
where not exists (select from evidence where evidence.digest = new.digest)
on conflict (digest) do nothing
