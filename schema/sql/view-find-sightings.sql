-- $7 bounds the answer; a row more than is wanted tells that there are more.
select id, seen_at from sighting
where kind = $1 and bundle = $2 and product_id = $3 and seen_at between $4 and $5
    and position <= $6
order by seen_at, id limit $7
