select relkind = 'p' as partitioned from pg_class where oid = 'event_log'::regclass
