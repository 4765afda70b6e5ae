-- Takes the views' place in the log; no row means that another ledger or a rebuild took it away.
select position, log_epoch from projection_checkpoint where name = $1 for update
