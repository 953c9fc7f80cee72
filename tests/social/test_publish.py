"""`publish_on_commit`: events leave after the commit, and never fail the sender."""

import threading
from contextlib import suppress
from typing import Any

import pytest
from channels.layers import InMemoryChannelLayer
from django.db import transaction
from pytest_django import Settings
from websockets.sync.client import ClientConnection

from accounts.models import Account
from social.limits import WAITING_BATCHES
from social.realtime.events import Pong, SocketError
from social.realtime.publish import Delivery, _message, publish_on_commit, session_tag
from social.realtime.sender import wait_until_sent
from tests.social.conftest import Sockets
from tests.social.socket_frames import answers_ping, receive

NEWS = SocketError(code="news")


class Undone(Exception):
    """Rolls a transaction back."""


def test_a_session_key_is_in_no_message() -> None:
    assert "secret-key" not in session_tag("secret-key")
    assert session_tag("secret-key") != session_tag("secret-kex")
    message = _message(Pong(), "secret-key")
    assert message["type"] == "deliver.to.session"
    assert message["session"] == session_tag("secret-key")
    assert "secret-key" not in repr(message)


def test_events_leave_after_the_commit_and_in_order(elsas_socket: ClientConnection) -> None:
    account = Account.objects.get().pk
    with transaction.atomic():
        publish_on_commit(
            [Delivery([account], SocketError(code=str(number))) for number in range(20)]
        )
        # Nothing has left: the pong comes next.
        assert answers_ping(elsas_socket)
    assert [receive(elsas_socket)["code"] for _ in range(20)] == [str(n) for n in range(20)]


def test_events_of_a_transaction_that_is_undone_never_leave(elsas_socket: ClientConnection) -> None:
    account = Account.objects.get().pk
    with suppress(Undone), transaction.atomic():
        publish_on_commit([Delivery([account], NEWS)])
        raise Undone
    publish_on_commit([Delivery([account], SocketError(code="after"))])
    assert receive(elsas_socket) == {"type": "error", "code": "after"}


def test_one_batch_reaches_many_accounts_and_nobody_else(sockets: Sockets) -> None:
    names = ["elsa.nordvall", "alva.lind", "bo.ek"]
    opened = {name: sockets.ready(sockets.sign_in(name)) for name in names}
    told = Account.objects.filter(username__in=names[:2]).values_list("pk", flat=True)
    publish_on_commit([Delivery(list(told), NEWS)])
    assert receive(opened["elsa.nordvall"])["code"] == "news"
    assert receive(opened["alva.lind"])["code"] == "news"
    assert answers_ping(opened["bo.ek"])


def test_without_the_channel_layer_it_warns_and_nothing_fails(
    transactional_db: None, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [{"address": "redis://127.0.0.1:9"}]},
        }
    }
    publish_on_commit([Delivery([1], NEWS)])
    wait_until_sent()
    assert caplog.messages == ["events not sent: ConnectionError"]


class StuckLayer(InMemoryChannelLayer):  # type: ignore[misc]
    """Sends nothing until it is `released`."""

    released = threading.Event()

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        self.released.wait(60)
        await super().group_send(group, message)


def test_a_layer_that_is_stuck_costs_warnings_and_bounded_memory(
    transactional_db: None, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": f"{__name__}.StuckLayer"}}
    try:
        for _ in range(WAITING_BATCHES + 3):
            publish_on_commit([Delivery([1], NEWS)])
        assert caplog.messages == ["events dropped: the channel layer is too slow"] * 3
    finally:
        StuckLayer.released.set()
    wait_until_sent()
    caplog.clear()
    publish_on_commit([Delivery([1], NEWS)])
    assert not caplog.messages
