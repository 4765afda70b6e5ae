select position, log_epoch, updated_at from projection_checkpoint where name = $1
