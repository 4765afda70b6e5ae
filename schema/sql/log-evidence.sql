-- $1 digests
select digest, bytes from evidence where digest = any($1) and bytes is not null
