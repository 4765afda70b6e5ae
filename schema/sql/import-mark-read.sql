-- $1 the file
select read_bytes, line, appended, duplicates, conflicts, refused, refused_parts
from import_mark where file = $1
