update projection_checkpoint set position = $2, updated_at = clock_timestamp() where name = $1
