-- $1 door, $2 how many more were logged in this minute
update quarantine_door set logged_in_minute = logged_in_minute + $2 where door = $1
