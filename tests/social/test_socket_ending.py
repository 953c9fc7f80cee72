"""When a session ends, its sockets are closed within a second, and no others."""

import time
from collections.abc import Callable
from uuid import uuid4

import pytest
import redis
from channels.layers import InMemoryChannelLayer, get_channel_layer
from django.conf import settings as django_settings
from django.utils import timezone
from websockets.sync.client import ClientConnection

from accounts.models import Account, ServiceSession
from accounts.services.ended_sessions import end_record
from accounts.services.erasure import erase_account
from accounts.services.suspension import suspend_account
from social.limits import SocketLimits
from tests.social.conftest import Sockets, SocketsWith
from tests.social.factories import account
from tests.social.socket_frames import answers_ping, close_code, receive


def ended(connection: ClientConnection) -> tuple[str, int]:
    """Why the session has ended, as the server says before it closes, and the code of the close."""
    event = receive(connection, within=1)
    assert event["type"] == "session.ended"
    return event["reason"], close_code(connection, within=1)


def test_logout_closes_the_sockets_of_that_login_and_no_others(sockets: Sockets) -> None:
    caller, elsewhere = sockets.sign_in(), sockets.sign_in()
    leaving = [sockets.ready(caller) for _ in range(3)]
    leaving.append(sockets.ready(headers={"Authorization": f"Bearer {caller.token}"}))
    others = (
        elsewhere,
        sockets.sign_in("alva.lind"),
        sockets.sign_in("alva.lind", school="nyvang"),
    )
    staying = [sockets.ready(other) for other in others]
    caller.post("/api/logout")
    assert [ended(connection) for connection in leaving] == [("logout", 4401)] * 4
    assert all(answers_ping(connection) for connection in staying)


def test_a_refresh_keeps_the_socket(sockets: Sockets) -> None:
    caller = sockets.sign_in()
    connection = sockets.ready(caller)
    assert caller.post("/api/refresh").status_code == 200
    assert answers_ping(connection)


@pytest.mark.parametrize(
    ("end", "told"),
    [(suspend_account, ("suspended", 4403)), (erase_account, ("logout", 4401))],
    ids=["suspension", "erasure"],
)
def test_every_socket_of_the_account_is_closed(
    sockets: Sockets, end: Callable[[int], object], told: tuple[str, int]
) -> None:
    theirs = [sockets.ready(sockets.sign_in()) for _ in range(2)]
    stranger = sockets.ready(sockets.sign_in("alva.lind"))
    end(account("elsa.nordvall").pk)
    assert [ended(connection) for connection in theirs] == [told] * 2
    assert answers_ping(stranger)


def test_a_login_that_has_expired_closes_its_sockets(elsas_socket: ClientConnection) -> None:
    end_record(ServiceSession.objects.get().pk, reason="expired")
    assert ended(elsas_socket) == ("expired", 4401)


def subscriptions() -> set[str]:
    """What sockets are subscribed to."""
    layer = get_channel_layer()
    if isinstance(layer, InMemoryChannelLayer):
        return {channel for members in layer.groups.values() for channel in members}
    with redis.Redis.from_url(django_settings.REDIS_URL, decode_responses=True) as client:
        return set(client.pubsub_channels(f"{layer._kwargs['prefix']}*"))


def test_a_socket_that_closes_leaves_nothing_behind(
    sockets: Sockets, caplog: pytest.LogCaptureFixture
) -> None:
    before = subscriptions()
    caller = sockets.sign_in()
    gone = sockets.ready(caller)
    cut = sockets.ready(caller)
    assert subscriptions() - before
    gone.close()
    cut.socket.close()
    caller.post("/api/logout")
    deadline = time.monotonic() + 20
    while subscriptions() - before and time.monotonic() < deadline:
        time.sleep(0.01)  # nothing announces the end of a socket to others
    assert subscriptions() <= before
    assert "a socket" not in caplog.text


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
def test_a_lost_end_of_the_session_is_found_by_the_next_frame(
    sockets_with: SocketsWith, loss: str, told: tuple[str, int]
) -> None:
    sockets = sockets_with(SocketLimits(recheck_seconds=0))
    connection = sockets.ready(sockets.sign_in())

    LOSSES[loss]()
    connection.send('{"type": "ping"}')

    assert receive(connection)["type"] == "pong"
    assert ended(connection) == told


def test_a_client_that_never_pings_is_no_exception(sockets_with: SocketsWith) -> None:
    sockets = sockets_with(SocketLimits(recheck_seconds=0))
    connection = sockets.ready(sockets.sign_in())
    LOSSES["suspension"]()
    connection.send(f'{{"type": "typing", "conversationId": "{uuid4().hex}"}}')
    assert ended(connection) == ("suspended", 4403)
