-- $7 bounds the answer; one more than is wanted tells that there are more.
select id from sighting
where kind = $1 and bundle = $2 and product_id = $3 and seen_at between $4 and $5
    and position <= $6
group by id order by min(seen_at), id limit $7
