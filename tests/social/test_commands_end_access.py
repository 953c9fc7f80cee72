"""A command in another process ends access within a second."""

import subprocess
import sys
from pathlib import Path

from tests.service_process import ROOT, cookie_header, environment, running
from tests.social.conftest import OpenSocket
from tests.social.socket_frames import answers_ping, close_code, receive, receive_ready
from upstream.simulator.server import Simulator

# Within a second, and what a busy test machine takes.
SOON = 3.0
SUSPEND, ERASE = ["suspend_account"], ["erase_account", "--yes"]
ENDED = {"elsa.nordvall": SUSPEND, "alva.lind": ERASE}
STAYING = "gun.nordvall"


def run(data_dir: Path, upstream_url: str, *words: str, redis_url: str) -> None:
    subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env=environment(data_dir, upstream_url, REDIS_URL=redis_url),
        check=True,
        capture_output=True,
    )


def test_it_ends_the_socket_and_the_requests_of_each_person(
    transactional_db: None,
    simulator: Simulator,
    open_socket: OpenSocket,
    tmp_path: Path,
    shared_redis: str,
) -> None:
    with running(tmp_path, simulator.url, kind="sockets", REDIS_URL=shared_redis) as server:
        cookies = {name: server.sign_in(name) for name in [*ENDED, STAYING]}
        sockets = {
            name: open_socket(server.port, headers={"Cookie": cookie_header(own)})
            for name, own in cookies.items()
        }
        for name, connection in sockets.items():
            assert receive_ready(connection) == name
        for name, command in ENDED.items():
            run(tmp_path, simulator.url, *command, name, redis_url=shared_redis)
            suspended = command is SUSPEND
            reason = "suspended" if suspended else "logout"
            ended = receive(sockets[name], within=SOON)
            assert ended == {"type": "session.ended", "reason": reason}
            assert close_code(sockets[name], within=SOON) == (4403 if suspended else 4401)
            for method, path, body in [
                ("GET", "/api/session", None),
                ("POST", "/api/notes", {"content": "Hej"}),
            ]:
                answer = server.request(method, path, body, cookies=cookies[name])
                assert answer[0] == (403 if suspended else 401)
        assert answers_ping(sockets[STAYING])
