"""The doctor looks at the proxy, the certificate, the mail server, the disk and the back-ups."""

import os
import socket
import socketserver
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from tests.notifications.certificates import make_certificates
from tests.ports import free_port
from wrapper_project import doctor_machine

READY = b'{"success": true}'


class Ready(BaseHTTPRequestHandler):
    """A service that a proxy asked over https."""

    protocol_version = "HTTP/1.1"
    body, headers_sent = READY, [("Strict-Transport-Security", "max-age=31536000")]
    status = 200

    def do_GET(self) -> None:
        self.send_response(self.status)
        for name, value in [*self.headers_sent, ("Content-Length", str(len(self.body)))]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *args: object) -> None:
        pass


class OverHttp(Ready):
    headers_sent: list[tuple[str, str]] = []  # noqa: RUF012


class SomethingElse(Ready):
    body = b"<h1>It works!</h1>"


class Mail(socketserver.StreamRequestHandler):
    """As much of an SMTP server as a sign-in needs; it refuses every password but one."""

    def handle(self) -> None:
        self.wfile.write(b"220 mail.example\r\n")
        for line in self.rfile:
            words = line.upper().split()
            if words[0] == b"EHLO":
                self.wfile.write(b"250-mail.example\r\n250 AUTH PLAIN\r\n")
            elif words[0] == b"AUTH":
                right = line.split()[-1] == b"AG1vYQByaWdodA=="
                self.wfile.write(b"235 welcome\r\n" if right else b"535 wrong canary-mail\r\n")
            elif words[0] == b"QUIT":
                self.wfile.write(b"221 bye\r\n")
                return


@contextmanager
def serving(server: socketserver.BaseServer) -> Iterator[int]:
    """The port of a server that runs in a thread."""
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield server.server_address[1]  # type: ignore[index,misc]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def https(
    folder: Path, settings: Settings, handler: type[Ready] = Ready, *, days: float = 90
) -> Iterator[None]:
    """PUBLIC_URL is a server over TLS, whose certificate ends in so many days."""
    end = datetime.now(UTC) + timedelta(days=days)
    made = make_certificates(folder, end=end)
    settings.SSL_CERT_FILE = str(made.authority)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.socket = made.server_context().wrap_socket(server.socket, server_side=True)
    with serving(server) as port:
        settings.PUBLIC_URL = f"https://localhost:{port}"
        yield


def findings_of(check: str) -> list[str]:
    """`state: what → hint` of each finding."""
    lines = getattr(doctor_machine, check)()
    return [f"{line.state}: {line.what} → {line.hint}" for line in lines]


@pytest.mark.parametrize("trusted", [True, False])
def test_the_address_of_a_proxy_that_is_not_trusted_is_named(
    settings: Settings, client: Client, db: None, trusted: bool
) -> None:
    settings.TRUSTED_PROXIES = ["127.0.0.1"] if trusted else ["10.0.0.0/8"]
    forwarded = {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https"}
    answer = client.get("/readyz?verbose", headers=forwarded).json()
    assert answer.get("untrustedProxy") == (None if trusted else "127.0.0.1")
    assert "untrustedProxy" not in client.get("/readyz", headers=forwarded).json()
    assert client.get("/readyz?verbose").json()["untrustedProxy"] is None


def test_it_says_what_to_trust(tmp_path: Path, settings: Settings) -> None:
    class Untrusted(OverHttp):
        body = b'{"success": true, "untrustedProxy": "172.29.83.4"}'

    with https(tmp_path, settings, Untrusted):
        (line,) = findings_of("check_public_url")
    assert line.startswith("fail: the proxy connects from 172.29.83.4, which is not trusted.")
    assert "TRUSTED_PROXIES=172.29.83.4" in line


def test_a_proxy_without_forwarded_proto_is_reported(tmp_path: Path, settings: Settings) -> None:
    with https(tmp_path, settings, OverHttp):
        (line,) = findings_of("check_public_url")
    assert line.startswith("fail: the proxy does not pass on that it was asked over https.")


def test_a_sound_proxy_is_ok(tmp_path: Path, settings: Settings) -> None:
    with https(tmp_path, settings):
        assert findings_of("check_public_url") == ["ok: answers through its proxy (status 200). → "]


def test_another_site_at_the_address_is_reported(tmp_path: Path, settings: Settings) -> None:
    with https(tmp_path, settings, SomethingElse):
        (line,) = findings_of("check_public_url")
    assert line.startswith("fail: something else answers there (status 200).")


def test_a_proxy_without_servers_is_reported(tmp_path: Path, settings: Settings) -> None:
    class NoServer(SomethingElse):
        status = 502

    with https(tmp_path, settings, NoServer):
        (line,) = findings_of("check_public_url")
    assert line.startswith("fail: the proxy reaches no server of the service (status 502).")
    assert "Start the servers" in line


def test_a_certificate_is_reported_before_it_ends(tmp_path: Path, settings: Settings) -> None:
    with https(tmp_path, settings, days=9.5):
        assert findings_of("check_public_url")[1].startswith("warn: its certificate ends in 9 days")


def test_a_certificate_that_browsers_refuse_is_reported(tmp_path: Path, settings: Settings) -> None:
    with https(tmp_path, settings, days=-1):
        assert findings_of("check_public_url")[0].startswith("fail: its certificate is refused")
        settings.SSL_CERT_FILE = ""
        assert "is refused" in findings_of("check_public_url")[0]


def test_a_proxy_that_waits_for_its_server_is_reported(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor_machine, "SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        settings.PUBLIC_URL = f"http://127.0.0.1:{listener.getsockname()[1]}"
        (line,) = findings_of("check_public_url")
    assert line.startswith("warn: it gives no answer within 0 s. → Is the database away")


def test_an_address_that_does_not_answer_is_a_warning(settings: Settings) -> None:
    settings.PUBLIC_URL = f"http://127.0.0.1:{free_port()}"
    (line,) = findings_of("check_public_url")
    assert line.startswith("warn: it does not answer here (ConnectionRefusedError).")
    settings.PUBLIC_URL = ""
    assert findings_of("check_public_url") == []


def test_the_mail_server_is_asked(settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_USE_TLS, settings.EMAIL_USE_SSL = "127.0.0.1", False, False
    settings.EMAIL_URL = "smtp://moa@127.0.0.1"
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "moa", "right"
    with serving(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Mail)) as port:
        settings.EMAIL_PORT = port
        assert findings_of("check_mail") == ["ok: the mail server answers. → "]
        settings.EMAIL_HOST_PASSWORD = "canary-password"
        (line,) = findings_of("check_mail")
        assert line.startswith("fail: the mail server cannot be used (SMTPAuthenticationError).")
        assert "canary" not in line
    assert "(ConnectionRefusedError)" in findings_of("check_mail")[0]
    settings.EMAIL_URL = ""
    assert findings_of("check_mail") == []


@pytest.mark.parametrize(
    ("free", "state"), [(50, "ok"), (11, "ok"), (9, "warn"), (2.5, "warn"), (1, "fail")]
)
def test_a_full_disk_is_reported(free: float, state: str) -> None:
    gib = 1024**3
    finding = doctor_machine.judge_space(Path("/var"), total=100 * gib, free=int(free * gib))
    assert finding.state == state
    assert finding.what == f"{free:.1f} GiB of 100 are free for /var."


def test_each_disk_is_looked_at_once(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(doctor_machine, "BACKUPS", tmp_path / "none")
    monkeypatch.setattr(doctor_machine, "POSTGRESQL", tmp_path)
    (line,) = findings_of("check_disk")
    assert f"are free for {tmp_path}, {tmp_path}." in line
    monkeypatch.setattr(doctor_machine, "POSTGRESQL", Path("/dev/shm"))
    first, second = findings_of("check_disk")
    assert f"are free for {tmp_path}." in first
    assert "are free for /dev/shm." in second


def test_the_age_of_the_newest_back_up_is_reported(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DEBUG = False
    folder = tmp_path / "back-ups"
    monkeypatch.setattr(doctor_machine, "BACKUPS", folder)
    assert findings_of("check_backups")[0].startswith(f"warn: there is no {folder}")
    folder.mkdir()
    (folder / "wrapper-20261126T030000Z.dump.part").touch()
    assert findings_of("check_backups")[0].startswith("fail: there is no back-up")
    for name, hours in (("wrapper-1.dump", 60), ("wrapper-2.dump", 27.6)):
        (folder / name).touch()
        at = time.time() - hours * 3600
        os.utime(folder / name, (at, at))
    assert findings_of("check_backups")[0].startswith("fail: the newest is 28 hours old.")
    (folder / "wrapper-3.sqlite3").touch()
    assert findings_of("check_backups")[0].startswith("ok: the newest is 0 hours old.")
