-- Nothing tells of them any more.
delete from disputes using unnest($1::bytea[], $2::bytea[]) as gone (bundle, id)
where disputes.bundle = gone.bundle and disputes.transaction_id = gone.id
