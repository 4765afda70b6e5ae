select recorded_at from event_log where position = $1
