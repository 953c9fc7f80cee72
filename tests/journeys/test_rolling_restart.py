"""An upgrade: every process is restarted behind a real nginx while people read and write."""

from pathlib import Path

import pytest
from django.conf import settings

from benchmarks.background_load import request
from benchmarks.deployment import MISSING, Deployment, programs_missing
from benchmarks.scenarios.rolling_restart import restart_under_load
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
    variables = environment(tmp_path, simulator.url, **changes)
    with Deployment(variables, tmp_path) as deployment:
        elsa, bo = (signed_in(deployment.port, name) for name in ("elsa.nordvall", "bo.ek"))
        run = restart_under_load(deployment, elsa, bo, drain=1.0, settle=10)
        assert request(deployment.port, "GET", "/metrics")[0] == 404
    assert run.failures == {}
    assert run.lost == set()
    assert run.duplicates == 0
    assert run.seqs == list(range(1, len(run.seqs) + 1))
    # The socket was closed for a restart.
    assert set(run.closed) == {1012}
    assert run.away
    assert run.received
