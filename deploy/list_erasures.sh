#!/bin/sh
# Keep a list of who was erased beside the back-ups, as keyed hashes:
#
#   deploy/list_erasures.sh /var/backups/wrapper
#
# A timer runs it every hour. After a restore, `manage.py apply_erasures FOLDER/erasures.txt` erases them
# again. Reads the same variables as backup.sh. What is in the list stays in it for DAYS days (400), also
# when a restored database does not know of it.
set -eu
umask 077
here=$(dirname "$0")
[ "$#" -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
. "$here/database.sh"

mkdir -p "$1"
file=$1/erasures.txt
trap 'rm -f "$file.part" "$file.new"' EXIT
trap 'exit 1' HUP INT TERM
: >"$file.part"
# In a database of an older version there is no such table.
case $KIND in
postgresql)
    there=$(psql -XAtqc "SELECT to_regclass('accounts_erasure') IS NOT NULL")
    [ "$there" != t ] || psql -XAtq -F ' ' -c "SELECT
        to_char(erased_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"+00:00\"'),
        key_hash, person_hash FROM accounts_erasure" >"$file.part"
    ;;
sqlite)
    "$PYTHON" - "$DATABASE" >"$file.part" <<'EOF'
import pathlib, sqlite3, sys
from datetime import timezone, datetime

if not pathlib.Path(sys.argv[1]).exists():
    sys.exit(f"{sys.argv[1]} does not exist")
database = sqlite3.connect(sys.argv[1])
if database.execute("SELECT 1 FROM sqlite_master WHERE name = 'accounts_erasure'").fetchone():
    rows = database.execute("SELECT erased_at, key_hash, person_hash FROM accounts_erasure")
    for at, key, person in rows:
        at = datetime.fromisoformat(at).replace(tzinfo=timezone.utc)
        print(at.isoformat(timespec="microseconds"), key, person)
EOF
    ;;
esac
[ ! -e "$file" ] || cat "$file" >>"$file.part"
oldest=$(date -u -d "${DAYS:-400} days ago" +%Y-%m-%d)
LC_ALL=C sort -u "$file.part" | awk -v oldest="$oldest" '$1 >= oldest' >"$file.new"
mv "$file.new" "$file"
