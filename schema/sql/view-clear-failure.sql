delete from projection_failure where position = $1
