"""`manage.py simulate_upstream`."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.upstream.simulator.plain_client import PlainClient
from upstream.simulator.server import Simulator

ROOT = Path(__file__).resolve().parents[3]
COMMAND = [sys.executable, "manage.py", "simulate_upstream", "--port"]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return dict(os.environ) | {"DEBUG": "1", "DATA_DIR": str(tmp_path)}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_prints_its_address_and_serves_until_a_signal(
    environment: dict[str, str], number: signal.Signals
) -> None:
    with subprocess.Popen(
        [*COMMAND, "0"], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline().rpartition(" ")[2].strip()
        assert PlainClient(address).authorize().status_code == 200
        process.send_signal(number)
        said = process.stdout.read()
    assert "elsa.nordvall    elsa-demo" in said
    assert "(no password login)" in said
    assert process.returncode in (0, -signal.SIGTERM)


@pytest.mark.parametrize("port", ["taken", "99999", "http"])
def test_an_unusable_port_is_reported(
    simulator: Simulator, environment: dict[str, str], port: str
) -> None:
    port = port.replace("taken", simulator.url.rpartition(":")[2])
    done = subprocess.run(
        [*COMMAND, port],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert port in done.stderr
