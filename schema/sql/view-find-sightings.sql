-- $6 bounds the answer; one row more than the bound tells that there are more.
select transaction_id from charge_sighting
where bundle = $1 and product_id = $2 and purchase_date between $3 and $4 and position <= $5
order by purchase_date, transaction_id limit $6
