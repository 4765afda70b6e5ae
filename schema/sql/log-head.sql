select log_id::text as log_id, epoch, size, recorded_at, tree_size, root, edge from log_head
