"""`manage.py simulate_upstream`."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.upstream.simulator.plain_client import PlainClient
from upstream.simulator.server import Simulator

ROOT = Path(__file__).resolve().parents[3]


def test_it_prints_its_address_and_serves_until_a_signal(tmp_path: Path) -> None:
    command = [sys.executable, "manage.py", "simulate_upstream", "--port", "0"]
    environment = dict(os.environ) | {"DEBUG": "1", "DATA_DIR": str(tmp_path)}
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline().rpartition(" ")[2].strip()
        assert PlainClient(address).authorize().status_code == 200
        process.send_signal(signal.SIGINT)
        said = process.stdout.read()
    assert "elsa.nordvall    elsa-demo" in said
    assert "(no password login)" in said
    assert process.returncode == 0


@pytest.mark.parametrize("port", ["taken", "99999", "http"])
def test_an_unusable_port_is_reported(simulator: Simulator, port: str) -> None:
    port = port.replace("taken", simulator.url.rpartition(":")[2])
    with pytest.raises(CommandError, match=port):
        call_command("simulate_upstream", f"--port={port}")
