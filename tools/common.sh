# shellcheck shell=bash
# What the tools share. Sourced from the clone's top folder, after `cd` into it.

caller_folder=$OLDPWD
clone=$PWD

# What each Debian package is for, and how its presence is noticed.
declare -A package_reason=(
    [pkg-config]='tells SwiftPM where the libraries are'
    [libpq-dev]='the client library of PostgreSQL'
    [libssl-dev]='SHA-256, X.509 and ECDSA'
    [libmicrohttpd-dev]='the HTTP server under ours'
    [postgresql]='the database; a private cluster of it is started here'
    [shellcheck]='checks the shell scripts'
    [time]='measures the memory that a program needs'
    [openssl]='the reference of the verification bench'
    [python3]='runs the crash test and the benches'
)
# shellcheck disable=SC2034  # for those who source this
build_packages=(pkg-config libpq-dev libssl-dev libmicrohttpd-dev)

# The configuration whose programs the tools run.
configuration=${QUITTANCE_CONFIGURATION:-release}

say() { printf '%s\n' "$*" >&2; }

# fail STATUS MESSAGE…: statuses are those of the command line (README.md).
fail() {
    local status=$1
    shift
    say "$(basename "$0"): $*"
    exit "$status"
}

refuse_usage() {
    say "$(basename "$0"): $*"
    usage >&2
    exit 2
}

# A path as the caller meant it.
from_caller() {
    case $1 in
    /*) printf '%s' "$1" ;;
    *) printf '%s' "$caller_folder/$1" ;;
    esac
}

# The folder of PostgreSQL's programs, of the newest version installed.
postgresql_programs() {
    local programs
    programs=$(compgen -G '/usr/lib/postgresql/*/bin' | sort -V | tail -n 1 || true)
    if [ -z "$programs" ] && command -v initdb >/dev/null; then
        programs=$(dirname "$(command -v initdb)")
    fi
    if [ -n "$programs" ] && [ -x "$programs/initdb" ]; then printf '%s' "$programs"; fi
}

is_present() {
    case $1 in
    libpq-dev) command -v pkg-config >/dev/null && pkg-config --exists libpq ;;
    libssl-dev) command -v pkg-config >/dev/null && pkg-config --exists libcrypto ;;
    libmicrohttpd-dev) command -v pkg-config >/dev/null && pkg-config --exists libmicrohttpd ;;
    time) [ -x /usr/bin/time ] ;; # the shell has one of its own
    postgresql) [ -n "$(postgresql_programs)" ] ;;
    *) command -v "$1" >/dev/null ;;
    esac
}

# Installs the named packages that are missing; without root it says how and stops.
require_packages() {
    local missing=() package
    for package in "$@"; do is_present "$package" || missing+=("$package"); done
    command -v swift >/dev/null || fail 69 'no Swift toolchain on the PATH (https://swift.org/install)'
    [ ${#missing[@]} -gt 0 ] || return 0
    for package in "${missing[@]}"; do say "missing: $package (${package_reason[$package]})"; done
    command -v apt-get >/dev/null || fail 69 'please install what corresponds on this system'
    if [ "$(id -u)" != 0 ]; then
        say 'this needs root; please have run:'
        say "    apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
        exit 77
    fi
    say "installing: ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq >&2
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
    for package in "${missing[@]}"; do
        is_present "$package" || fail 69 "$package is installed, and still not usable"
    done
}

# Release programs carry Swift's library, so that they run where no toolchain is.
build_flags() {
    local root
    root=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")
    if [ "$configuration" = release ] && [ -d "$root/lib/swift_static" ]; then
        printf '%s\n' --static-swift-stdlib
    fi
}

product() { printf '%s' "$clone/.build/$configuration/$1"; }

# Whether a product is there and nothing it may be made from is newer.
is_current() {
    [ -x "$(product "$1")" ] &&
        [ -z "$(find Package.swift Sources schema tools -newer "$(product "$1")" -print -quit)" ]
}

# Builds one product, unless it is current; its log is shown only when it fails.
build_product() {
    local flags log
    if is_current "$1"; then return; fi
    mapfile -t flags < <(build_flags)
    mkdir -p .build
    log=.build/tools-build.log
    swift build -c "$configuration" --product "$1" "${flags[@]}" >"$log" 2>&1 || {
        cat "$log" >&2
        fail 1 "$1 does not build"
    }
    touch -c "$(product "$1")"
}
