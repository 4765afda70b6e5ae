-- $1 the size of the tree, $2 its root, $3 its right edge, $4 the channel on which to tell, once
-- the transaction is committed, that the log has grown; NULL where it has not
with tree as (
    update log_head set tree_size = $1, root = $2, edge = $3 returning tree_size
)
select pg_notify($4, tree_size::text) from tree where $4 is not null
