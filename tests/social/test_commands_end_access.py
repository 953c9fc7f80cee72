"""A command in another process ends access within a second."""

import subprocess
import sys
from pathlib import Path

from tests.service_process import ROOT, cookie_header, environment, running
from tests.social.conftest import SocketsAt
from tests.social.socket_frames import close_code, receive
from upstream.simulator.server import Simulator

# Within a second, and what a busy test machine takes.
SOON = 3.0


def test_it_ends_the_socket_and_the_requests_of_the_person(
    transactional_db: None,
    simulator: Simulator,
    sockets_at: SocketsAt,
    tmp_path: Path,
    shared_redis: str,
) -> None:
    with running(tmp_path, simulator.url, kind="sockets", REDIS_URL=shared_redis) as server:
        cookies = server.sign_in()
        connection = sockets_at(server.port).ready(headers={"Cookie": cookie_header(cookies)})
        subprocess.run(
            [sys.executable, "manage.py", "suspend_account", "elsa.nordvall"],
            cwd=ROOT,
            env=environment(tmp_path, simulator.url, REDIS_URL=shared_redis),
            check=True,
            capture_output=True,
        )
        ended = receive(connection, within=SOON)
        assert ended == {"type": "session.ended", "reason": "suspended"}
        assert close_code(connection, within=SOON) == 4403
        assert server.request("GET", "/api/session", cookies=cookies)[0] == 403
        note = {"content": "Hej"}
        assert server.request("POST", "/api/notes", note, cookies=cookies)[0] == 403
