select log_id::text as log_id, epoch, size, recorded_at from log_head
