select coalesce(
        (select sum(pg_total_relation_size(relid)) from pg_partition_tree('event_log'))::bigint,
        pg_total_relation_size('event_log'))
        + pg_total_relation_size('event_key') as log,
    pg_total_relation_size('evidence') as evidence, pg_total_relation_size('log_tile') as tree
