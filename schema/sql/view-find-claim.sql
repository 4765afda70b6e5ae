select opened_position from claims
where claim_id = $1 and opened_position <= $2
order by opened_position limit $3
