select number, name, digest, applied_at from schema_migration order by number
