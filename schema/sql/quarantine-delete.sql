-- $1 digest
delete from quarantine where digest = $1
