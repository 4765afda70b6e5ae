-- What the head, the rows and the tiles say of where the log ends.
select h.size, h.recorded_at, h.tree_size, h.root, h.edge,
    coalesce((select max(position) from event_log where position > 0), 0) as last_position,
    (select count(*) from event_log where position < 1) as misplaced,
    array(
        select (select count(*) from log_tile t where t.level = l) from generate_series(0, 6) as l
        order by l) as tiles,
    exists (select from pg_class where oid = 'event_log'::regclass and relkind = 'p') as partitioned
from log_head h
