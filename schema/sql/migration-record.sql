-- $1 number, $2 name, $3 digest of its up.sql
insert into schema_migration (number, name, digest) values ($1, $2, $3)
