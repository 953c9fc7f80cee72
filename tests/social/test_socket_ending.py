"""When a session ends, its sockets are closed within a second, and no others."""

from collections.abc import Callable

import pytest
from django.utils import timezone
from websockets.sync.client import ClientConnection

from accounts.models import Account, ServiceSession
from accounts.services.erasure import erase_account
from accounts.services.session_records import end_record
from accounts.services.suspension import suspend_account
from social.limits import SocketLimits
from tests.social.channel_queues import only_these_are_left, queues
from tests.social.conftest import OpenSocket, SignIn, serving
from tests.social.factories import account
from tests.social.socket_frames import answers_ping, close_code, receive
from upstream.simulator.server import Simulator
from wrapper_project.servers import socket_worker


def ended(connection: ClientConnection) -> tuple[str, int]:
    """Why the session has ended, as the server says before it closes, and the code of the close."""
    event = receive(connection, within=1)
    assert event["type"] == "session.ended"
    return event["reason"], close_code(connection, within=1)


def test_logout_closes_the_sockets_of_that_login_and_no_others(
    port: int, sign_in: SignIn, ready_socket: OpenSocket
) -> None:
    caller, elsewhere = sign_in(), sign_in()
    leaving = [ready_socket(port, caller) for _ in range(3)]
    leaving.append(ready_socket(port, headers={"Authorization": f"Bearer {caller.token}"}))
    others = (elsewhere, sign_in("alva.lind"), sign_in("alva.lind", school="nyvang"))
    staying = [ready_socket(port, other) for other in others]
    caller.post("/api/logout")
    assert [ended(connection) for connection in leaving] == [("logout", 4401)] * 4
    assert all(answers_ping(connection) for connection in staying)


def test_a_refresh_keeps_the_socket(port: int, sign_in: SignIn, ready_socket: OpenSocket) -> None:
    caller = sign_in()
    connection = ready_socket(port, caller)
    assert caller.post("/api/refresh").status_code == 200
    assert answers_ping(connection)


@pytest.mark.parametrize(
    ("end", "told"),
    [(suspend_account, ("suspended", 4403)), (erase_account, ("logout", 4401))],
    ids=["suspension", "erasure"],
)
def test_every_socket_of_the_account_is_closed(
    port: int,
    sign_in: SignIn,
    ready_socket: OpenSocket,
    end: Callable[[int], object],
    told: tuple[str, int],
) -> None:
    sockets = [ready_socket(port, sign_in()) for _ in range(2)]
    stranger = ready_socket(port, sign_in("alva.lind"))
    end(account("elsa.nordvall").pk)
    assert [ended(connection) for connection in sockets] == [told] * 2
    assert answers_ping(stranger)


def test_a_login_that_has_expired_closes_its_sockets(elsas_socket: ClientConnection) -> None:
    end_record(ServiceSession.objects.get(), reason="expired")
    assert ended(elsas_socket) == ("expired", 4401)


def test_a_socket_that_closes_leaves_nothing_behind(
    port: int, sign_in: SignIn, ready_socket: OpenSocket, caplog: pytest.LogCaptureFixture
) -> None:
    before = queues()
    caller = sign_in()
    gone = ready_socket(port, caller)
    gone.close()
    cut = ready_socket(port, caller)
    cut.socket.close()
    caller.post("/api/logout")
    again = ready_socket(port, sign_in())
    assert answers_ping(again)
    assert "a socket" not in caplog.text
    again.close()
    assert only_these_are_left(before)


LOSSES: dict[str, Callable[[], object]] = {
    "logout": lambda: ServiceSession.objects.all().delete(),
    "erasure": lambda: Account.objects.update(erasure_started_at=timezone.now()),
    "suspension": lambda: Account.objects.update(suspended_at=timezone.now()),
}


@pytest.mark.parametrize(
    ("loss", "told"),
    [
        ("logout", ("logout", 4401)),
        ("erasure", ("logout", 4401)),
        ("suspension", ("suspended", 4403)),
    ],
)
def test_a_lost_end_of_the_session_is_found_by_the_next_ping(
    port_with: Callable[[SocketLimits], int],
    sign_in: SignIn,
    ready_socket: OpenSocket,
    loss: str,
    told: tuple[str, int],
) -> None:
    port = port_with(SocketLimits(recheck_seconds=0))
    connection = ready_socket(port, sign_in())

    LOSSES[loss]()
    connection.send('{"type": "ping"}')

    assert receive(connection)["type"] == "pong"
    assert ended(connection) == told


def test_a_server_that_ends_spreads_the_return_of_its_clients(
    transactional_db: None,
    simulator: Simulator,
    monkeypatch: pytest.MonkeyPatch,
    sign_in: SignIn,
    ready_socket: OpenSocket,
) -> None:
    from wrapper_project.asgi import application

    monkeypatch.setattr(socket_worker, "RETURNING_A_SECOND", 0.5)
    with serving(application) as (port, server):
        caller = sign_in()
        sockets = [ready_socket(port, caller) for _ in range(5)]
        server.should_exit = True
        for connection in sockets:
            assert close_code(connection) == 1012
    reasons = [connection.close_reason or "" for connection in sockets]
    assert all(reason.startswith("retry-after=") for reason in reasons)
    waits = [float(reason.removeprefix("retry-after=")) for reason in reasons]
    assert all(0 <= seconds <= 10 for seconds in waits)
    assert len(set(waits)) > 1
