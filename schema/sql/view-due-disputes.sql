select bundle, transaction_id from disputes where review_at <= $1
order by review_at, bundle, transaction_id limit $2 for update skip locked
