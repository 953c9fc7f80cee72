#!/bin/sh
# Build the image without a daemon and without a registry, start it, and ask it over HTTP:
#
#   deploy/build_image.sh [--renew-base]
#
# Needs root, buildah and redis-server, and debootstrap for the base image of Debian's own packages, which is
# kept as localhost/python-trixie (--renew-base makes it again, for Debian's updates). Ends with 0 only if the
# started image has answered. Reads
#
#   BASE          another base image, such as that of deploy/Dockerfile
#   IMAGE         the name of the image (school-wrapper)
#   BUILDAH_ARGS  more arguments of `buildah bud`, such as "--volume /etc/pip.conf:/etc/pip.conf:ro"
#   DATABASE_URL  an empty database to start it on; without it SQLite in the container
#   REDIS_URL     an empty Redis; without it a redis-server is started
#   BUILDAH_ISOLATION, STORAGE_DRIVER   chroot and vfs, which work wherever root does
set -eu
cd "$(dirname "$0")/.."
usage() { sed -n '2,/^set/ s/^# \{0,1\}//p' deploy/build_image.sh; }
renew=
case "${1:-}" in
-h | --help) usage; exit 0 ;;
--renew-base) renew=yes ;;
'') ;;
*) usage >&2; exit 2 ;;
esac
export BUILDAH_ISOLATION="${BUILDAH_ISOLATION:-chroot}" STORAGE_DRIVER="${STORAGE_DRIVER:-vfs}"
image=${IMAGE:-school-wrapper} debian=localhost/python-trixie
base=${BASE:-$debian}

missing=
there() { command -v "$1" >/dev/null || missing="$missing
  $1 (Debian: apt-get install $2)"; }
there buildah buildah
[ -n "${BASE:-}" ] || there debootstrap debootstrap
[ -n "${REDIS_URL:-}" ] || there redis-server redis-server
[ "$(id -u)" -eq 0 ] || missing="$missing
  root, who may make a system of Debian's packages and start a container"
[ -z "$missing" ] || { echo "The image cannot be built here. Missing:$missing" >&2; exit 2; }

work=$(mktemp -d /var/tmp/wrapper-image.XXXXXX)
container= redis=
clean_up() {
    [ -z "$redis" ] || kill "$redis" || :
    [ -z "$container" ] || buildah rm "$container" >/dev/null || :
    rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM

if [ -n "$renew" ] || { [ -z "${BASE:-}" ] && ! buildah inspect --type image "$debian" >/dev/null 2>&1; }; then
    echo "Making the base image of Debian's packages ..."
    debootstrap --variant=minbase --include=python3,python3-venv,python-is-python3,ca-certificates \
        trixie "$work/trixie" >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; exit 1; }
    tar -C "$work/trixie" -cf "$work/trixie.tar" .
    container=$(buildah from scratch)
    buildah add --quiet "$container" "$work/trixie.tar" / >/dev/null
    buildah commit --quiet --rm "$container" "$debian" >/dev/null
    container=
fi

echo "Building $image on $base ..."
# pip believes the authorities that this machine believes; the image keeps those of its base.
authorities=/etc/ssl/certs/ca-certificates.crt
before=$(buildah images --quiet --no-trunc "$image" 2>/dev/null || :)
# One layer: with vfs each is a copy of everything below it.
# shellcheck disable=SC2086
buildah bud --format docker --build-arg "BASE=$base" -f deploy/Dockerfile -t "$image" \
    $([ ! -e $authorities ] || echo "--volume $authorities:$authorities:ro") ${BUILDAH_ARGS:-} . \
    >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; exit 1; }

after=$(buildah images --quiet --no-trunc "$image")
[ -z "$before" ] || [ "$before" = "$after" ] || buildah rmi "$before" >/dev/null || :

container=$(buildah from "$image")
free_port() {
    buildah run "$container" -- python -c 'import socket
s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}
if [ -z "${REDIS_URL:-}" ]; then
    port=$(free_port)
    redis-server --port "$port" --bind 127.0.0.1 --save '' --dir "$work" >"$work/redis.log" 2>&1 &
    redis=$!
    REDIS_URL=redis://127.0.0.1:$port/0
fi
random() { head -c 32 /dev/urandom | base64 | tr '+/' '-_'; }
web_port=$(free_port) sockets_port=$(free_port)

echo "Starting it ..."
# In one container: what migrates, both servers, and who asks them.
buildah run --network host -e SECRET_KEY="$(random)" -e FIELD_ENCRYPTION_KEYS="$(random)" \
    -e UPSTREAM_URL=https://upstream.example -e ALLOWED_HOSTS=127.0.0.1 -e DATABASE_URL="${DATABASE_URL:-}" \
    -e REDIS_URL="$REDIS_URL" -e BIND_HOST=127.0.0.1 -e WEB_PORT="$web_port" -e SOCKETS_PORT="$sockets_port" \
    -e HEALTH_PORT="$web_port" -e HEALTH="$(buildah inspect --type image \
        --format '{{index .Docker.Config.Healthcheck.Test 3}}' "$image")" \
    "$container" -- sh -ec '
[ "$(id -u)" -ne 0 ] && [ ! -w manage.py ] || { echo "The container may change its code." >&2; exit 1; }
if python manage.py showmigrations | grep -q "\[X\]"; then
    echo "The database of DATABASE_URL is not empty." >&2
    exit 1
fi
python manage.py migrate --verbosity 0
gunicorn -c deploy/http.conf.py wrapper_project.wsgi:application & web=$!
gunicorn -c deploy/sockets.conf.py wrapper_project.asgi:application & sockets=$!
trap "kill $web $sockets; wait $web $sockets || :" EXIT
python - "$WEB_PORT" "$SOCKETS_PORT" <<"END"
import sys, time, urllib.request

def ask(port, path):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
        return answer.status, answer.headers["Content-Type"], answer.read()

for port in sys.argv[1:]:
    for attempt in range(60):
        try:
            status, _, body = ask(port, "/readyz")
            if b"away" not in body:
                break
        except OSError:
            pass
        time.sleep(1)
    else:
        sys.exit("It is not ready after a minute.")
    for path in ("/readyz", "/api/version", "/app/"):
        status, kind, body = ask(port, path)
        print("asked", path, status, kind, body[:80].decode())
END
python -c "$HEALTH"
kill -0 "$web" && kill -0 "$sockets"
' >"$work/log" 2>&1 || { tail -n 30 "$work/log" >&2; exit 1; }
grep '^asked' "$work/log"
echo "$image was built and started, and has answered."
