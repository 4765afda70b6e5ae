-- The rules changed: every order is due again.
update orders set review_at = $1
