-- The nearest to the middle of the range first, since $7 bounds the answer: of a product that sells
-- by the thousand, the charges around the attempt are those worth looking at. One more than is
-- wanted tells that there are more.
select id from sighting
where kind = $1 and bundle = $2 and product_id = $3 and seen_at between $4 and $5
    and position <= $6
group by id
order by min(abs(extract(epoch from seen_at - ($4 + ($5 - $4) / 2)))), id limit $7
