"""The samples for nginx and Caddy in front of a real server, as they are but for ports and TLS."""

import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.nginx import nginx_command, nginx_site, running
from tests.ports import free_port
from tests.wrapper_project import servers

ROOT = Path(__file__).resolve().parents[2]
SITE = "school.example"
# More than the threads of the server.
SLOW_CLIENTS = 30
THREADS = 4
# Seconds. Without buffering, a thread that reads a slow body is busy for a minute.
PATIENT = 20
SLOW_HEAD = (
    f"POST /api/login HTTP/1.1\r\nHost: {SITE}\r\nContent-Type: application/json\r\n"
    "Content-Length: 1000\r\n\r\n{"
).encode()


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is missing")


PROXIES = [
    pytest.param("nginx", marks=needs("nginx")),
    pytest.param("caddy", marks=needs("caddy")),
]


@pytest.fixture(scope="module", params=PROXIES)
def proxy(
    request: pytest.FixtureRequest, http_server: int, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[int]:
    """The port of the proxy with its sample."""
    with in_front(request.param, http_server, tmp_path_factory.mktemp(request.param)) as port:
        yield port


@contextmanager
def in_front(name: str, server: int, folder: Path) -> Iterator[int]:
    """The port of a proxy in front of a server, once it answers."""
    port = free_port()
    with {"nginx": start_nginx, "caddy": start_caddy}[name](folder, port, server):
        deadline = time.monotonic() + PATIENT
        while status(port, "/healthz") != 200:
            assert time.monotonic() < deadline, (folder / "log").read_text()
            time.sleep(0.1)
        yield port


@contextmanager
def start_nginx(folder: Path, port: int, server: int) -> Iterator[None]:
    site = nginx_site(port, [server], [server])
    site = site.replace("server_name localhost;", f"server_name {SITE};")
    with running(nginx_command(folder, site), folder):
        yield


@contextmanager
def start_caddy(folder: Path, port: int, server: int) -> Iterator[None]:
    sample = (ROOT / "deploy" / "Caddyfile").read_text()
    # Its own port for changes of the configuration is the same for every Caddy of the machine.
    (folder / "Caddyfile").write_text(sample.replace("{\n", "{\n\tadmin off\n", 1))
    here = f"127.0.0.1:{server}"
    version = subprocess.run(
        ["caddy", "version"], capture_output=True, text=True, check=True
    ).stdout
    old = version.removeprefix("v").startswith("2.6.")
    with running(
        ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"],
        folder,
        SITE=f"http://{SITE}:{port}",
        WEB=here,
        SOCKETS=here,
        **({"BUFFERING": "buffer_requests"} if old else {}),
        HOME=str(folder),
        XDG_DATA_HOME=str(folder),
        XDG_CONFIG_HOME=str(folder),
    ):
        yield


def ask(port: int, path: str, host: str = SITE, *, more: str = "") -> bytes:
    """The answer; empty if there is none. `more` are further header lines."""
    head = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept: */*\r\n{more}"
    request = f"{head}Connection: close\r\n\r\n"
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENT) as connection:
            connection.sendall(request.encode())
            return servers.read_answer(connection)
    except OSError:
        return b""


def status(port: int, path: str, host: str = SITE) -> int:
    words = ask(port, path, host).split(b" ", 2)
    return int(words[1]) if len(words) > 1 else 0


def test_a_probe_may_name_any_host_and_other_requests_may_not(http_server: int) -> None:
    for host in (f"127.0.0.1:{http_server}", "10.0.0.7:8000", "web"):
        assert status(http_server, "/healthz", host) == 200
        assert status(http_server, "/readyz", host) == 200
        assert status(http_server, "/api/version", host) == 400
    assert status(http_server, "/api/version") == 200


def test_the_proxy_passes_requests_on_and_keeps_the_metrics_inside(proxy: int) -> None:
    files = ("/static/wrapper_project/page.css", "/app/service-worker.js")
    for path in ("/app/", "/app/messages", "/api/version", "/readyz", *files):
        assert status(proxy, path) == 200, path
    assert status(proxy, "/metrics") == 404
    assert b'"success":false' in ask(proxy, "/api/session")


def test_many_cookies_of_other_services_on_the_domain_do_no_harm(proxy: int) -> None:
    cookies = "; ".join(f"other{number}={'x' * 1000}" for number in range(15))
    answer = ask(proxy, "/api/version", more=f"Cookie: {cookies}\r\n")
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert b'"success":true' in answer


@pytest.fixture(scope="module")
def server_without_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    away = {"REDIS_URL": f"redis://127.0.0.1:{free_port()}/0", "ALLOWED_HOSTS": SITE}
    with servers.running(servers.HTTP, tmp_path_factory.mktemp("away"), **away) as server:
        yield server.port


@pytest.mark.parametrize("name", PROXIES)
def test_without_redis_both_proxies_serve_what_needs_none(
    name: str, server_without_redis: int, tmp_path: Path
) -> None:
    with in_front(name, server_without_redis, tmp_path) as port:
        for _ in range(3):  # longer than Caddy needs to look at /readyz
            assert b'"store":"away"' in ask(port, "/readyz")
            assert status(port, "/app/") == 200
            assert status(port, "/api/version") == 200
            time.sleep(1)


def test_the_proxy_compresses_what_holds_no_secret(proxy: int) -> None:
    folder = ROOT / "webapp/dist/app/assets"
    scripts = [f"/app/assets/{each.name}" for each in folder.glob("app-*.*s")]
    assert scripts
    zipped = b"content-encoding: gzip"
    for path in scripts:
        head = ask(proxy, path, more="Accept-Encoding: gzip\r\n").split(b"\r\n\r\n")[0]
        assert zipped in head.lower(), path
        assert b"immutable" in head
    for path in ("/app/", "/api/version"):
        answer = ask(proxy, path, more="Accept-Encoding: gzip\r\n")
        assert zipped not in answer.lower(), path


def test_slow_bodies_do_not_stop_others(proxy: int) -> None:
    over = threading.Event()

    def drip(clients: list[socket.socket]) -> None:
        while not over.wait(0.5):
            for client in clients:
                try:
                    client.sendall(b" ")
                except OSError:
                    continue  # the proxy has closed it, as it may

    with ExitStack() as stack:
        clients = [
            stack.enter_context(socket.create_connection(("127.0.0.1", proxy), timeout=PATIENT))
            for _ in range(SLOW_CLIENTS)
        ]
        for client in clients:
            client.sendall(SLOW_HEAD)
        dripping = threading.Thread(target=drip, args=(clients,))
        dripping.start()
        try:
            assert {status(proxy, "/api/version") for _ in range(2 * THREADS)} == {200}
        finally:
            over.set()
            dripping.join()


@pytest.mark.parametrize(
    ("path", "status"),
    [("/api/login", 413), ("/api/profile/picture", 401), ("/api/nothing", 404)],
    ids=["too large", "no session", "no such route"],
)
def test_a_body_that_nobody_reads_is_answered_by_the_service(
    proxy: int, path: str, status: int
) -> None:
    head = f"POST {path} HTTP/1.1\r\nHost: {SITE}\r\nConnection: close\r\n"
    for size in (300_000, 1_000_000, 5_000_000) * 2:
        with socket.create_connection(("127.0.0.1", proxy), timeout=PATIENT) as connection:
            connection.sendall(f"{head}Content-Length: {size}\r\n\r\n".encode() + b" " * size)
            answer = servers.read_answer(connection)
        assert answer.startswith(f"HTTP/1.1 {status} ".encode()), answer
        assert b'"success":false' in answer


def test_a_body_beyond_every_limit_is_refused_by_the_proxy(proxy: int) -> None:
    head = (
        f"POST /api/login HTTP/1.1\r\nHost: {SITE}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {12 * 1024 * 1024}\r\nConnection: close\r\n\r\n"
    ).encode()
    with socket.create_connection(("127.0.0.1", proxy), timeout=PATIENT) as connection:
        connection.sendall(head)
        try:
            for _ in range(12 * 16):
                connection.sendall(b" " * 65536)
        except OSError:
            pass  # it has answered and closed
        try:
            answer = connection.recv(64)
        except OSError:
            return  # the rest of the body met a closed connection
    # Caddy 2.6 calls it a bad gateway, unless the service, which reads the length, answers before.
    assert answer.split(b" ", 2)[1] in {b"413", b"502"}
