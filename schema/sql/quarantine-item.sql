-- $1 digest
select digest, door, reason, detail, received_at, kept_at, size from quarantine where digest = $1
