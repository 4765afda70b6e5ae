copy (select digest, size, bytes from evidence) to stdout (format binary)
