select bundle, order_number from orders where review_at <= $1
order by review_at, bundle, order_number limit $2 for update skip locked
