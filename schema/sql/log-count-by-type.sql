-- Read from the index alone.
select type, count(*) as events from event_log group by type order by type
