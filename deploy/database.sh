# Sourced by backup.sh and restore.sh. Exports the database of DATABASE_URL (or DATABASE_URL_FILE, or
# SQLite in DATA_DIR) as variables, so that no argument that others can list contains the password.
# Without a URL, the variables of PostgreSQL's own programs (PGHOST, PGDATABASE, …) are used as they are;
# this needs no Python (see `backup` in compose.yaml).
if [ -z "${DATABASE_URL:-}${DATABASE_URL_FILE:-}" ] && [ -n "${PGDATABASE:-}" ]; then
    KIND=postgresql
    return
fi
PYTHON=${PYTHON:-$(dirname "$0")/../.venv/bin/python}
[ -x "$PYTHON" ] || PYTHON=python3

variables=$("$PYTHON" - <<'EOF'
import os, pathlib, re, shlex, sys
from urllib.parse import parse_qsl, unquote, urlsplit

url = os.environ.get("DATABASE_URL", "").strip()
if not url and os.environ.get("DATABASE_URL_FILE"):
    url = pathlib.Path(os.environ["DATABASE_URL_FILE"]).read_text().strip()
here = pathlib.Path(os.environ.get("DATA_DIR") or "var")
url = url or f"sqlite:///{here / 'db.sqlite3'}"
# Without the hosts: Debian's Python, and newer ones, refuse a list of them with an IPv6 address.
start, listed, end = re.fullmatch(r"((?:\w+://)?(?:[^/?#]*@)?)([^/?#]*)(.*)", url, re.S).groups()
parts = urlsplit(start + end)
if parts.scheme in ("postgres", "postgresql"):
    # One host or several, as in a:5432,b:5432.
    named = [
        re.fullmatch(r"\[(.*)\]:?(\d*)|([^:]*):?(\d*)", host)
        for host in listed.split(",")
    ]
    if not all(named):
        sys.exit("DATABASE_URL has a host or a port that cannot be read")
    hosts = [host[1] or host[3] or "" for host in named]
    ports = [host[2] or host[4] or "" for host in named]
    found = {
        "KIND": "postgresql",
        "PGHOST": ",".join(hosts),
        "PGPORT": ",".join(ports) if any(ports) else None,
        "PGUSER": parts.username and unquote(parts.username),
        "PGPASSWORD": parts.password and unquote(parts.password),
        "PGDATABASE": unquote(parts.path.lstrip("/")),
    }
    # sslmode, ssl_min_protocol_version, target_session_attrs, …: PGSSLMODE, and so on.
    for name, value in parse_qsl(parts.query):
        if name.startswith("ssl") or name == "target_session_attrs":
            found["PG" + name.replace("_", "").upper()] = value
elif parts.scheme == "sqlite":
    found = {"KIND": "sqlite", "DATABASE": unquote(parts.path[1:])}
else:
    sys.exit("DATABASE_URL must name PostgreSQL or SQLite")
for name, value in found.items():
    if value:
        print(f"export {name}={shlex.quote(str(value))}")
EOF
)
eval "$variables"
