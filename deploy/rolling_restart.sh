#!/bin/sh
# Restart the processes behind nginx one by one, without a failed request:
#
#   deploy/rolling_restart.sh wrapper-web@8000 wrapper-web@8010 wrapper-sockets@8001 wrapper-sockets@8011
#
# For each unit: take its port out of nginx, wait for running requests, restart the unit, wait until
# it is ready, and put the port back. Ends at the first unit that does not become ready; the others
# keep serving. Never takes out the last server of its group that is ready: the others are asked before.
# Needs python3. Run `manage.py migrate` before, and `manage.py doctor` after.
set -eu

NGINX_CONF=${NGINX_CONF:-/etc/nginx/conf.d/wrapper.conf}
RELOAD=${RELOAD:-nginx -s reload}
RESTART=${RESTART:-systemctl restart}
# Seconds for requests that nginx has already started to send; running ones then get 10 more.
DRAIN=${DRAIN:-3}
# Seconds for a server to become ready.
ready_seconds=${READY_SECONDS:-60}

edit() {
    fresh=$(mktemp)
    sed -E "$1" "$NGINX_CONF" >"$fresh"
    cat "$fresh" >"$NGINX_CONF"
    rm -f "$fresh"
    $RELOAD
}

# Whether the server at this address (host:port) can serve.
is_ready() {
    python3 -c 'import sys, urllib.request as u; u.build_opener(u.ProxyHandler({})).open(sys.argv[1], timeout=5)' \
        "http://$1/readyz" 2>/dev/null
}

await_ready() {
    tries=$((ready_seconds * 5))
    until is_ready "127.0.0.1:$1"; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || { echo "port $1 is not ready, so it stays out of nginx" >&2; exit 1; }
        sleep 0.2
    done
}

# A line for each group of servers with this port: "group" and the addresses of its other servers that
# are not `down`, or "single" when nginx knows no other server of it.
groups_of() {
    awk -v port="$1" '
        /^ *upstream / { here = 0; up = ""; others = 0 }
        /^ *server / && $0 ~ ":" port "[ ;]" { here = 1; next }
        /^ *server / { others++; if ($0 !~ / down[ ;]/) { sub(/;$/, "", $2); up = up " " $2 } }
        /^ *}/ && here { print others ? "group" up : "single"; here = 0 }
    ' "$NGINX_CONF"
}

# "single" when nginx knows no other server, "others" when each group has another one that is ready,
# else "none".
others_of() {
    groups_of "$1" | sort -u | {
        word=others
        while read -r kind addresses; do
            [ "$kind" = group ] || { word=single; continue; }
            ready=
            for address in $addresses; do
                if is_ready "$address"; then ready=1; break; fi
            done
            [ -n "$ready" ] || { word=none; break; }
        done
        echo "$word"
    }
}

[ "$#" -gt 0 ] || { echo "usage: $0 UNIT@PORT..." >&2; exit 2; }
for unit in "$@"; do
    port=${unit##*@}
    grep -qE "^ *server [^ ;]*:$port[ ;]" "$NGINX_CONF" || {
        echo "no server on port $port in $NGINX_CONF" >&2
        exit 2
    }
    others=$(others_of "$port")
    if [ "$others" = none ]; then
        echo "port $port is the last server of its group that is ready; start another one first" >&2
        exit 2
    fi
    if [ "$others" = others ]; then
        edit "s/^( *server [^ ;]*:$port)( down)?([ ;])/\\1 down\\3/"
        sleep "$DRAIN"
    fi
    $RESTART "$unit"
    await_ready "$port"
    edit "s/^( *server [^ ;]*:$port) down([ ;])/\\1\\2/"
    echo "$unit serves again"
done
