select bundle, claim_id, opened_position from claims
where opened_position > $1 order by opened_position limit $2
