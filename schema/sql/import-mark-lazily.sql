-- A mark may be lost: it waits for no disk. For this transaction.
select set_config('synchronous_commit', 'off', true)
