-- $1 the file
delete from import_mark where file = $1
