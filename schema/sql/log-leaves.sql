-- $1 after which position, $2 up to which
select leaf from event_log where position > $1 and position <= $2 order by position
