-- One migration of a ledger at a time. $1 the ledger's schema.
select pg_advisory_xact_lock(hashtextextended($1 || ' migration', 0))
