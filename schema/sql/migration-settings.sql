-- For this transaction: $1 the ledger's schema, $2 how long to wait for a lock in milliseconds.
select set_config('quittance.schema', $1, true),
    set_config('search_path', quote_ident($1) || ', pg_temp', true),
    set_config('lock_timeout', $2, true),
    current_setting('server_encoding') as encoding
