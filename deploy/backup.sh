#!/bin/sh
# Back up the database while the service runs:
#
#   deploy/backup.sh /var/backups/wrapper
#
# Reads DATABASE_URL and DATA_DIR as the service does, or without them PGHOST, PGDATABASE, … Prints the
# path of the file. Keeps the newest KEEP files (30). The keys are not in it: back up SECRET_KEY and FIELD_ENCRYPTION_KEYS elsewhere;
# without them the tokens in it cannot be read.
set -eu
umask 077
here=$(dirname "$0")
[ "$#" -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
. "$here/database.sh"

file=
# Whatever goes wrong, nothing that looks like half a back-up is left.
trap '[ -z "$file" ] || rm -f "$file.part" "$file.part-journal"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$1"
# After a power cut or kill -9, that of the last time is.
find "$1" -maxdepth 1 -name 'wrapper-*.part' -mmin +1440 -exec rm -f {} +
stamp=$(date -u +%Y%m%dT%H%M%SZ)
case $KIND in
postgresql)
    file=$1/wrapper-$stamp.dump
    pg_dump --format=custom --no-owner --no-privileges --file="$file.part"
    # Check that pg_restore can read it.
    pg_restore --list "$file.part" >/dev/null
    ;;
sqlite)
    file=$1/wrapper-$stamp.sqlite3
    "$PYTHON" - "$DATABASE" "$file.part" <<'EOF'
import pathlib, sqlite3, sys

source, target = sys.argv[1:]
if not pathlib.Path(source).exists():
    sys.exit(f"{source} does not exist")
with sqlite3.connect(source) as live, sqlite3.connect(target) as copy:
    live.backup(copy)
    copy.execute("PRAGMA journal_mode=DELETE")
    if copy.execute("PRAGMA integrity_check").fetchone() != ("ok",):
        sys.exit("the copy is damaged")
EOF
    ;;
esac
mv "$file.part" "$file"
echo "$file"

# Names contain the time, so the oldest come first.
extra=$(find "$1" -maxdepth 1 -name "wrapper-*.${file##*.}" | sort | head -n "-${KEEP:-30}")
[ -z "$extra" ] || echo "$extra" | while read -r old; do rm -f "$old"; done
