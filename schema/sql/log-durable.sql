-- For this transaction: what is acknowledged is on disk (a stronger setting stays), and whoever
-- stops while it holds the head delays the others by at most five seconds.
select set_config('idle_in_transaction_session_timeout', '5000', true),
    set_config('synchronous_commit', case current_setting('synchronous_commit')
        when 'remote_apply' then 'remote_apply' else 'on' end, true)
