# shellcheck shell=bash
# A private PostgreSQL cluster: own data folder, a Unix socket in a short path, no TCP, never root.
# Sourced after common.sh. A cluster is named by its folder; nothing of the system's is touched.

# Runs a program as the user that owns the cluster: oneself, or `postgres` when root.
as_owner() {
    if [ "$(id -u)" = 0 ]; then
        (cd / && exec runuser -u postgres -- "$@")
    else
        (cd / && exec "$@")
    fi
}

owner_name() { if [ "$(id -u)" = 0 ]; then printf postgres; else id -un; fi; }

# The socket's folder: a socket's path may have 107 bytes, and a clone's path is often longer.
cluster_socket() {
    printf '/tmp/quittance-%s-%s' "$(id -u)" "$(printf '%s' "$1" | sha256sum | cut -c 1-10)"
}

# Makes a folder that only the owner can enter, and refuses one that somebody else has put there.
own_folder() {
    mkdir -p "$1"
    if [ "$(id -u)" = 0 ] && [ "$(stat -c %U "$1")" = root ]; then chown postgres "$1"; fi
    [ -O "$1" ] || [ "$(stat -c %U "$1")" = "$(owner_name)" ] || fail 77 "$1 belongs to somebody else"
    chmod 700 "$1"
}

# The name in the socket's file, `.s.PGSQL.PORT`; nothing listens on a TCP port.
cluster_port=54321

cluster_is_running() {
    as_owner "$(postgresql_programs)/pg_ctl" -D "$1" status >/dev/null 2>&1
}

# cluster_start FOLDER [SETTING…]: starts it, making it first where it is new.
cluster_start() {
    local folder=$1 socket programs options setting
    shift
    programs=$(postgresql_programs)
    socket=$(cluster_socket "$folder")
    if ! as_owner test -f "$folder/PG_VERSION"; then
        own_folder "$folder"
        as_owner "$programs/initdb" -D "$folder" -U postgres -A trust --encoding=UTF8 --locale=C \
            >/dev/null
    fi
    if ! cluster_is_running "$folder"; then
        own_folder "$socket"
        options="-c listen_addresses='' -c port=$cluster_port -c unix_socket_directories='$socket'"
        options+=" -c unix_socket_permissions=0700"
        for setting in "$@"; do options+=" -c $setting"; done
        as_owner "$programs/pg_ctl" -D "$folder" -w -t 60 -l "$folder/server.log" -o "$options" start \
            >/dev/null || fail 69 "the cluster does not start; see $folder/server.log"
    fi
    export PGHOST=$socket PGPORT=$cluster_port PGUSER=postgres PGDATABASE=quittance
    unset PGSERVICE PGPASSWORD PGOPTIONS PGHOSTADDR
    if [ -z "$("$programs/psql" -XAtd postgres -c \
        "SELECT 1 FROM pg_database WHERE datname = 'quittance'")" ]; then
        "$programs/createdb" quittance
    fi
}

cluster_stop() {
    if cluster_is_running "$1"; then
        as_owner "$(postgresql_programs)/pg_ctl" -D "$1" -w -m fast stop >/dev/null
    fi
}

# Stops it and removes everything of it.
cluster_remove() {
    cluster_stop "$1"
    rm -rf -- "$1" "$(cluster_socket "$1")"
}
