"""An upgrade: every process is restarted behind a real nginx while people read and write."""

from pathlib import Path

import pytest
from django.conf import settings

from tests.journeys.deployment import running
from tests.journeys.restart_load import (
    HEARD_SECONDS,
    BackgroundLoad,
    Chat,
    ReconnectingSocket,
    request,
)
from tests.nginx import MISSING, programs_missing
from tests.service_process import environment
from upstream.simulator.server import Simulator

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(programs_missing(), reason=MISSING),
    pytest.mark.skipif(not settings.REDIS_URL, reason="several processes need Redis"),
]


def signed_in(port: int, name: str) -> dict[str, str]:
    """Sign somebody of bjorkdalen in; returns the header of the session."""
    body = {
        "username": name,
        "password": f"{name.partition('.')[0]}-demo",
        "school": "bjorkdalen",
    }
    status, answer = request(port, "POST", "/api/login", body)
    assert status == 200, answer
    return {"Authorization": f"Bearer {answer['token']}"}


def test_no_request_fails_and_no_message_is_lost(
    simulator: Simulator, transactional_db: None, tmp_path: Path
) -> None:
    changes = {
        "RATE_LIMITS": "off",
        "ALLOW_UNLIMITED": "1",
        "TRUSTED_PROXIES": "127.0.0.1",
        "WEB_THREADS": "8",
    }
    with running(environment(tmp_path, simulator.url, **changes), tmp_path) as deployment:
        port = deployment.port
        elsa, bo = (signed_in(port, name) for name in ("elsa.nordvall", "bo.ek"))
        chat = Chat(port, writer=elsa, reader=bo)
        with (
            ReconnectingSocket(port, bo) as listener,
            BackgroundLoad(chat.write, chat.read, chat.schedule) as load,
        ):
            assert listener.ready.wait(HEARD_SECONDS)
            load.wait_for(10)
            deployment.restart_all()
            assert listener.ready.wait(HEARD_SECONDS)
            load.wait_for(10)
        messages = chat.everything()
        assert request(port, "GET", "/metrics")[0] == 404
    assert load.failures() == {}
    contents = [message["content"] for message in messages]
    assert chat.acknowledged <= set(contents)
    assert len(contents) == len(set(contents))
    assert [message["seq"] for message in messages] == list(range(1, len(messages) + 1))
    # The socket was closed for a restart.
    assert set(listener.closed) == {1012}
    assert any(frame["type"] == "message.created" for frame in listener.frames)
