#!/bin/sh
# Restart the processes behind nginx one by one, without a failed request:
#
#   deploy/rolling_restart.sh wrapper-web@8000 wrapper-web@8010 wrapper-sockets@8001
#
# For each unit: take its port out of nginx, wait for running requests, restart the unit, wait until
# it is ready, and put the port back. Ends at the first unit that does not become ready; the others
# keep serving. Never takes out the last server that is up. Run `manage.py migrate` before, and
# `manage.py doctor` after.
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

await_ready() {
    tries=$((ready_seconds * 5))
    until curl -fsS -o /dev/null --max-time 5 "http://127.0.0.1:$1/readyz" 2>/dev/null; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || { echo "port $1 is not ready, so it stays out of nginx" >&2; exit 1; }
        sleep 0.2
    done
}

# "others" when each group of servers with this port has another one that is up, "none" when the
# others of a group are down, "single" when nginx knows no other server.
others_of() {
    awk -v port="$1" '
        /^ *upstream / { here = 0; up = 0; others = 0 }
        /^ *server / && $0 ~ ":" port "[ ;]" { here = 1; next }
        /^ *server / { others++; up += ($0 !~ / down[ ;]/) }
        /^ *}/ && here { if (!others) word = "single"; else if (!up) word = "none"; here = 0 }
        END { print word ? word : "others" }
    ' "$NGINX_CONF"
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
        echo "port $port is the last server of its group that is up; start another one first" >&2
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
