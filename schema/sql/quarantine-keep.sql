-- $1 digest, $2 door, $3 reason, $4 detail, $5 received at, $6 bytes: the first of each digest.
insert into quarantine (digest, door, reason, detail, received_at, bytes, size)
values ($1, $2, $3, $4, $5, $6, octet_length($6))
on conflict (digest) do nothing
