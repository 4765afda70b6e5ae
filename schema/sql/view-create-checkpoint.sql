insert into projection_checkpoint (name, position, log_epoch) values ($1, 0, $2)
on conflict (name) do nothing
