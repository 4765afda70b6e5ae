-- $1 digest
select from quarantine where digest = $1
