"""When a session ends, its sockets are closed within a second, and no others."""

from collections.abc import Callable

import pytest
from django.utils import timezone

from accounts.models import Account, ServiceSession
from accounts.services.erasure import erase_account
from accounts.signals import account_refused
from social.limits import SocketLimits
from tests.social.channel_queues import only_these_are_left, queues
from tests.social.conftest import OpenSocket, SignIn, serving
from tests.social.socket_frames import answers_ping, close_code, receive, receive_ready
from upstream.simulator.server import Simulator
from wrapper_project.servers import socket_worker


def test_logout_closes_the_sockets_of_the_session(
    port: int, sign_in: SignIn, open_socket: OpenSocket
) -> None:
    caller = sign_in()
    sockets = [open_socket(port, caller) for _ in range(3)]
    for connection in sockets:
        receive_ready(connection)
    caller.post("/api/logout")
    for connection in sockets:
        assert receive(connection, within=1) == {"type": "session.ended", "reason": "logout"}
        assert close_code(connection, within=1) == 4401


def test_logout_leaves_the_other_devices_of_the_account_alone(
    port: int, sign_in: SignIn, open_socket: OpenSocket
) -> None:
    here, there = sign_in(), sign_in()
    leaving, staying = open_socket(port, here), open_socket(port, there)
    receive_ready(leaving)
    receive_ready(staying)
    here.post("/api/logout")
    assert receive(leaving, within=1)["type"] == "session.ended"
    assert answers_ping(staying)


def test_logout_leaves_other_people_alone(
    port: int, sign_in: SignIn, open_socket: OpenSocket
) -> None:
    caller = sign_in()
    leaving = open_socket(port, caller)
    staying = open_socket(port, sign_in("alva.lind"))
    namesake = open_socket(port, sign_in("alva.lind", school="nyvang"))
    for connection in (leaving, staying, namesake):
        receive_ready(connection)
    caller.post("/api/logout")
    assert close_code_after_session_ended(leaving) == 4401
    assert answers_ping(staying)
    assert answers_ping(namesake)


def close_code_after_session_ended(connection) -> int:  # type: ignore[no-untyped-def]
    assert receive(connection, within=1)["type"] == "session.ended"
    return close_code(connection, within=1)


def test_a_native_app_and_a_browser_of_one_login_end_together(
    port: int, sign_in: SignIn, open_socket: OpenSocket
) -> None:
    caller = sign_in()
    app = open_socket(port, headers={"Authorization": f"Bearer {caller.token}"})
    browser = open_socket(port, caller)
    receive_ready(app)
    receive_ready(browser)
    caller.post("/api/logout")
    assert close_code_after_session_ended(app) == 4401
    assert close_code_after_session_ended(browser) == 4401


def test_a_refresh_keeps_the_socket(port: int, sign_in: SignIn, open_socket: OpenSocket) -> None:
    caller = sign_in()
    connection = open_socket(port, caller)
    receive_ready(connection)
    assert caller.post("/api/refresh").status_code == 200
    assert answers_ping(connection)


def test_suspension_closes_every_socket_of_the_account_with_4403(
    port: int, sign_in: SignIn, open_socket: OpenSocket
) -> None:
    sockets = [open_socket(port, sign_in()) for _ in range(2)]
    stranger = open_socket(port, sign_in("alva.lind"))
    for connection in (*sockets, stranger):
        receive_ready(connection)
    account = Account.objects.get(username="elsa.nordvall")
    account_refused.send(Account, account_id=account.pk, reason="suspended")
    for connection in sockets:
        assert receive(connection, within=1) == {"type": "session.ended", "reason": "suspended"}
        assert close_code(connection, within=1) == 4403
    assert answers_ping(stranger)


def test_a_socket_that_closes_leaves_nothing_behind(
    port: int, sign_in: SignIn, open_socket: OpenSocket, caplog: pytest.LogCaptureFixture
) -> None:
    before = queues()
    caller = sign_in()
    gone = open_socket(port, caller)
    receive_ready(gone)
    gone.close()
    cut = open_socket(port, caller)
    receive_ready(cut)
    cut.socket.close()
    caller.post("/api/logout")
    again = open_socket(port, sign_in())
    receive_ready(again)
    assert answers_ping(again)
    assert "a socket" not in caplog.text
    again.close()
    assert only_these_are_left(before)


def test_an_erasure_closes_every_socket_of_the_account_with_4401(
    port: int, sign_in: SignIn, open_socket: OpenSocket
) -> None:
    sockets = [open_socket(port, sign_in()) for _ in range(2)]
    for connection in sockets:
        receive_ready(connection)
    erase_account(Account.objects.get().pk)
    for connection in sockets:
        assert receive(connection, within=1) == {"type": "session.ended", "reason": "logout"}
        assert close_code(connection, within=1) == 4401


LOSSES: dict[str, Callable[[], object]] = {
    "logout": lambda: ServiceSession.objects.all().delete(),
    "erasure": lambda: Account.objects.update(erasure_started_at=timezone.now()),
    "suspension": lambda: Account.objects.update(suspended_at=timezone.now()),
}


@pytest.mark.parametrize(
    ("loss", "reason", "code"),
    [
        ("logout", "logout", 4401),
        ("erasure", "logout", 4401),
        ("suspension", "suspended", 4403),
    ],
)
def test_a_lost_end_of_the_session_is_found_by_the_next_ping(
    port_with: Callable[[SocketLimits], int],
    sign_in: SignIn,
    open_socket: OpenSocket,
    loss: str,
    reason: str,
    code: int,
) -> None:
    port = port_with(SocketLimits(recheck_seconds=0))
    connection = open_socket(port, sign_in())
    receive_ready(connection)

    LOSSES[loss]()
    connection.send('{"type": "ping"}')

    assert receive(connection)["type"] == "pong"
    assert receive(connection) == {"type": "session.ended", "reason": reason}
    assert close_code(connection) == code


def test_a_server_that_ends_spreads_the_return_of_its_clients(
    transactional_db: None,
    simulator: Simulator,
    monkeypatch: pytest.MonkeyPatch,
    sign_in: SignIn,
    open_socket: OpenSocket,
) -> None:
    from wrapper_project.asgi import application

    monkeypatch.setattr(socket_worker, "RETURNING_A_SECOND", 0.5)
    with serving(application) as (port, server):
        caller = sign_in()
        sockets = [open_socket(port, caller) for _ in range(5)]
        for connection in sockets:
            receive_ready(connection)
        server.should_exit = True
        for connection in sockets:
            assert close_code(connection) == 1012
    reasons = [connection.close_reason or "" for connection in sockets]
    assert all(reason.startswith("retry-after=") for reason in reasons)
    waits = [float(reason.removeprefix("retry-after=")) for reason in reasons]
    assert all(0 <= seconds <= 10 for seconds in waits)
    assert len(set(waits)) > 1
