-- COPY takes no parameters. $1 after which position, $2 up to which
select set_config('quittance.after', $1, false), set_config('quittance.up_to', $2, false)
