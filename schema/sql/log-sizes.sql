select pg_total_relation_size('event_log') as log, pg_total_relation_size('evidence') as evidence,
    pg_total_relation_size('log_tile') as tree
