select bundle, transaction_id from charges
where (bundle, transaction_id) > ($1, $2)
order by bundle, transaction_id limit $3
