"""A download gives back what it has taken, whatever the file and the client are like."""

import socket
from typing import Any

from tests.conftest import Caller
from tests.schoolproxy.test_files import PDF, body_of, fail, held_slots
from upstream.downloads import FILE_SECONDS
from upstream.simulator.server import Simulator


def test_a_name_that_nobody_can_read_keeps_no_slot(elsa: Caller, simulator: Simulator) -> None:
    odd = {"Content-Disposition": "attachment; filename*=utf-8''a.pdf; filename*0=b.pdf"}
    fail(simulator, "file.bytes", b"%PDF-1.4 x", **odd)
    answer = elsa.get(PDF)
    assert body_of(answer) == b"%PDF-1.4 x"
    assert held_slots() == 0


def test_a_client_that_does_not_read_is_not_waited_for(elsa: Caller) -> None:
    with socket.socket() as connection:
        environ: Any = {"gunicorn.socket": connection}
        body_of(elsa.http.get(PDF, **environ))
        assert connection.gettimeout() == FILE_SECONDS
