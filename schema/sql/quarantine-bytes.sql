-- $1 digest
select bytes from quarantine where digest = $1
