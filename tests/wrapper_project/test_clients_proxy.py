"""The sample of nginx in docs/clients.md: an app and the service under one origin."""

import json
import re
import shutil
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import urllib3
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.nginx import nginx_command, running
from tests.ports import free_port

pytestmark = pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is missing")
ROOT = Path(__file__).resolve().parents[2]
SITE = "app.example"
APP = "<title>The app</title>"
PATIENT = 20


@pytest.fixture(scope="module")
def proxy(sockets_server: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of nginx with the sample, without TLS."""
    folder, port = tmp_path_factory.mktemp("nginx"), free_port()
    text = (ROOT / "docs" / "clients.md").read_text()
    (sample,) = re.findall(r"^```nginx\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    sample = re.sub(r"^ +ssl_.*\n", "", sample, flags=re.MULTILINE)
    sample = re.sub(r"127\.0\.0\.1:800[01];", f"127.0.0.1:{sockets_server};", sample)
    sample = sample.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")
    (folder / "app").mkdir()
    (folder / "app" / "index.html").write_text(APP)
    site = sample.replace("/srv/app", str(folder / "app"))
    with running(nginx_command(folder, site), folder):
        deadline = time.monotonic() + PATIENT
        while not is_up(port):
            assert time.monotonic() < deadline, (folder / "log").read_text()
            time.sleep(0.1)
        yield port


def is_up(port: int) -> bool:
    try:
        return ask(port, "GET", "/api/version")[0] == 200
    except urllib3.exceptions.HTTPError:
        return False


def ask(port: int, method: str, path: str, **headers: str) -> tuple[int, str]:
    """Status and body of an answer."""
    with urllib3.PoolManager(retries=False, timeout=PATIENT) as http:
        answer = http.request(
            method,
            f"http://127.0.0.1:{port}{path}",
            headers={"Host": f"{SITE}:{port}", **headers},
        )
        return answer.status, answer.data.decode()


def open_socket(port: int, origin: str) -> ClientConnection:
    sock = socket.create_connection(("127.0.0.1", port), timeout=PATIENT)
    url = f"ws://{SITE}:{port}/ws"
    return connect(url, sock=sock, origin=Origin(origin), proxy=None)


def test_paths_of_the_app_are_the_app_and_the_others_the_service(proxy: int) -> None:
    for path in ("/", "/week/47", "/apidocs"):
        assert ask(proxy, "GET", path) == (200, APP)
    for path in ("/api/version", "/api/docs", "/static/wrapper_project/page.css"):
        status, body = ask(proxy, "GET", path)
        assert status == 200, path
        assert body != APP
    for path in ("/media/x.webp", "/feeds/x.ics", "/shared/x", "/api/nothing"):
        assert '"success":false' in ask(proxy, "GET", path)[1], path


def test_only_pages_of_the_app_may_send_a_login(proxy: int) -> None:
    for origin, code in {
        f"http://{SITE}:{proxy}": "invalid_input",
        "http://evil.example": "cross_origin",
    }.items():
        assert json.loads(ask(proxy, "POST", "/api/login", Origin=origin)[1])["code"] == code


def test_only_pages_of_the_app_may_open_a_socket(proxy: int) -> None:
    with open_socket(proxy, f"http://{SITE}:{proxy}") as opened:
        assert json.loads(opened.recv(timeout=PATIENT))["code"] == "not_signed_in"
        with pytest.raises(ConnectionClosed) as closed:
            opened.recv(timeout=PATIENT)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4401
    with pytest.raises(InvalidStatus) as refused:
        open_socket(proxy, "http://evil.example")
    assert refused.value.response.status_code == 403
