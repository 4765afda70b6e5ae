-- $1 after which instant, $2 and digest, $3 how many at most
select digest, door, reason, detail, received_at, kept_at, size
from quarantine
where (kept_at, digest) > ($1, $2)
order by kept_at, digest
limit $3
