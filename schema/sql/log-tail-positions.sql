-- The first events after a position that name one of some keys. $1 after which position; arrays of
-- $2 order numbers, $3 transactions, $4 original transactions, $5 subjects; $6 how many at most
select position from event_log
where position > $1 and (order_number = any($2) or transaction_id = any($3)
    or original_transaction_id = any($4) or subject = any($5))
order by position
limit $6
