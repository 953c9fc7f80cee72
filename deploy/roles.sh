#!/bin/sh
# Give a database role the rights that the service needs, and no right to change or delete the audit log:
#
#   DATABASE_URL=postgres://owner:…@127.0.0.1/wrapper deploy/roles.sh wrapper
#
# DATABASE_URL is that of the owner of the tables, who also runs `migrate` and `purge_audit`; the
# argument is the role of the service. Run it after the first `migrate` and after each restore.
set -eu
here=$(dirname "$0")
[ "$#" -eq 1 ] || { echo "usage: $0 ROLE" >&2; exit 2; }
. "$here/database.sh"
[ "$KIND" = postgresql ] || { echo "DATABASE_URL is not PostgreSQL" >&2; exit 2; }
psql -Xq -v app="$1" -f "$here/roles.sql"
echo "$1 can use the tables, and only read and add entries of the audit log"
