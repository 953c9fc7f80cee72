#!/bin/sh
# Put a saved database back, into an empty one:
#
#   deploy/restore.sh /var/backups/wrapper/wrapper-20261121T030000Z.dump
#
# Stop the servers first. Into a database that is not empty only with --replace before the file: what
# is there is then dropped (SQLite: put aside). Afterwards: `manage.py migrate`, empty Redis
# (`redis-cli -n NUMBER flushdb`), `manage.py doctor`, start the servers.
set -eu
umask 077
here=$(dirname "$0")
replace=
[ "${1:-}" != --replace ] || { replace=1; shift; }
[ "$#" -eq 1 ] && [ -f "$1" ] || { echo "usage: $0 [--replace] FILE" >&2; exit 2; }
. "$here/database.sh"

refuse() {
    echo "$1; --replace drops what is there" >&2
    exit 1
}

case $KIND:$1 in
postgresql:*.dump)
    pg_restore --list "$1" >/dev/null
    tables=$(psql -XAtqc "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
    if [ "$tables" -gt 0 ]; then
        [ -n "$replace" ] || refuse "the database holds $tables tables"
        psql -Xqc "DROP SCHEMA public CASCADE" -c "CREATE SCHEMA public" 2>/dev/null
    fi
    # All or nothing.
    pg_restore --no-owner --no-privileges --exit-on-error --single-transaction \
        --dbname="$PGDATABASE" "$1"
    psql -Xqc "ANALYZE"
    ;;
sqlite:*.sqlite3)
    if [ -e "$DATABASE" ]; then
        [ -n "$replace" ] || refuse "$DATABASE is there"
        aside=$DATABASE.before-$(date -u +%Y%m%dT%H%M%SZ)
        for suffix in "" -wal -shm; do
            [ ! -e "$DATABASE$suffix" ] || mv "$DATABASE$suffix" "$aside$suffix"
        done
        echo "what was there is $aside"
    fi
    mkdir -p "$(dirname "$DATABASE")"
    cp "$1" "$DATABASE.part"
    mv "$DATABASE.part" "$DATABASE"
    ;;
*)
    echo "this file is not of a $KIND database" >&2
    exit 2
    ;;
esac
echo "restored"
