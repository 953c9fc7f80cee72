#!/bin/sh
# Restore a backup into an empty database:
#
#   deploy/restore.sh /var/backups/wrapper/wrapper-20261121T030000Z.dump
#
# Stop the servers first. A database that is not empty needs --replace before the file: it is then
# dropped (SQLite: renamed). Afterwards run `manage.py migrate`, empty Redis
# (`redis-cli -n NUMBER flushdb`), run `manage.py apply_erasures` with the list beside the back-ups, which
# erases again who was erased since, then `manage.py doctor`, and start the servers.
set -eu
umask 077
here=$(dirname "$0")
replace=
[ "${1:-}" != --replace ] || { replace=1; shift; }
[ "$#" -eq 1 ] && [ -f "$1" ] || { echo "usage: $0 [--replace] FILE" >&2; exit 2; }
. "$here/database.sh"

refuse() {
    echo "$1; use --replace to drop it" >&2
    exit 1
}

case $KIND:$1 in
postgresql:*.dump)
    entries=$(mktemp)
    trap 'rm -f "$entries"' EXIT
    # Of the extensions only the service's own. Others are the server's, such as pg_stat_statements,
    # which pg_auto_failover creates, and the owner of the database may not create them.
    pg_restore --list "$1" >"$entries"
    sed -i '/EXTENSION/{/ pg_trgm /!d}' "$entries"
    tables=$(psql -XAtqc "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
    if [ "$tables" -gt 0 ]; then
        [ -n "$replace" ] || refuse "the database has $tables tables"
        psql -Xq -v ON_ERROR_STOP=1 -c "SET client_min_messages = warning" \
            -c "DROP SCHEMA public CASCADE" -c "CREATE SCHEMA public"
    fi
    # All or nothing.
    pg_restore --no-owner --no-privileges --exit-on-error --single-transaction \
        --use-list="$entries" --dbname="$PGDATABASE" "$1"
    # Only the superuser may analyze the catalog of the whole server: 48 warnings for everybody else.
    psql -Xq -v ON_ERROR_STOP=1 -c "SET client_min_messages = error" -c "ANALYZE"
    ;;
sqlite:*.sqlite3)
    if [ -e "$DATABASE" ]; then
        [ -n "$replace" ] || refuse "$DATABASE exists"
        aside=$DATABASE.before-$(date -u +%Y%m%dT%H%M%SZ)
        for suffix in "" -wal -shm; do
            [ ! -e "$DATABASE$suffix" ] || mv "$DATABASE$suffix" "$aside$suffix"
        done
        echo "the previous database is $aside"
    fi
    mkdir -p "$(dirname "$DATABASE")"
    trap 'rm -f "$DATABASE.part"' EXIT
    cp "$1" "$DATABASE.part"
    mv "$DATABASE.part" "$DATABASE"
    ;;
*)
    echo "this file is not a backup of a $KIND database" >&2
    exit 2
    ;;
esac
echo "restored"
list=$(dirname "$1")/erasures.txt
[ -e "$list" ] || list="the list of erasures (erasures.txt), which is not beside this back-up"
echo "before you start the servers: manage.py migrate, then manage.py apply_erasures with $list"
