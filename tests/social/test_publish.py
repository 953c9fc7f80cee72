"""`publish_on_commit`: events leave after the commit, and never fail the sender."""

import dataclasses
import json
from contextlib import suppress
from typing import Any, cast

import pytest
from django.db import transaction

from accounts.models import Account
from social.realtime.events import Event, Pong, SessionEnded, SocketError
from social.realtime.publish import Delivery, _message, publish_on_commit, session_tag
from tests.social.conftest import OpenSocket, SignIn
from tests.social.socket_frames import answers_ping, receive, receive_ready

NEWS = SocketError(code="news")


class Undone(Exception):
    """Rolls a transaction back."""


def test_an_event_refuses_a_field_that_it_does_not_declare() -> None:
    make = cast(Any, SessionEnded)
    with pytest.raises(TypeError):
        make(reason="logout", username="elsa.nordvall")
    with pytest.raises(TypeError):
        make()
    with pytest.raises(dataclasses.FrozenInstanceError):
        cast(Any, SessionEnded(reason="logout")).reason = "expired"


@pytest.mark.parametrize(
    ("event", "frame", "code"),
    [
        (Pong(), {"type": "pong"}, None),
        (SessionEnded(reason="logout"), {"type": "session.ended", "reason": "logout"}, 4401),
        (SessionEnded(reason="expired"), {"type": "session.ended", "reason": "expired"}, 4401),
        (SessionEnded(reason="suspended"), {"type": "session.ended", "reason": "suspended"}, 4403),
    ],
)
def test_an_event_is_one_json_frame(event: Event, frame: dict[str, str], code: int | None) -> None:
    assert json.loads(event.to_text()) == frame
    assert event.close_code == code


def test_a_session_key_is_in_no_message() -> None:
    assert "secret-key" not in session_tag("secret-key")
    assert session_tag("secret-key") != session_tag("secret-kex")
    message = _message(Pong(), "secret-key")
    assert message["type"] == "deliver.to.session"
    assert message["session"] == session_tag("secret-key")
    assert "secret-key" not in repr(message)


def test_events_leave_after_the_commit_and_in_order(
    port: int, sign_in: SignIn, open_socket: OpenSocket
) -> None:
    connection = open_socket(port, sign_in())
    receive_ready(connection)
    account = Account.objects.get().pk
    with transaction.atomic():
        publish_on_commit(
            [Delivery([account], SocketError(code=str(number))) for number in range(20)]
        )
        # Nothing has left: the pong comes next.
        assert answers_ping(connection)
    assert [receive(connection)["code"] for _ in range(20)] == [str(n) for n in range(20)]


def test_events_of_a_transaction_that_is_undone_never_leave(
    port: int, sign_in: SignIn, open_socket: OpenSocket
) -> None:
    connection = open_socket(port, sign_in())
    receive_ready(connection)
    account = Account.objects.get().pk
    with suppress(Undone), transaction.atomic():
        publish_on_commit([Delivery([account], NEWS)])
        raise Undone
    publish_on_commit([Delivery([account], SocketError(code="after"))])
    assert receive(connection) == {"type": "error", "code": "after"}


def test_one_batch_reaches_many_accounts_and_nobody_else(
    port: int, sign_in: SignIn, open_socket: OpenSocket
) -> None:
    names = ["elsa.nordvall", "alva.lind", "bo.ek"]
    sockets = {name: open_socket(port, sign_in(name)) for name in names}
    for connection in sockets.values():
        receive_ready(connection)
    told = Account.objects.filter(username__in=names[:2]).values_list("pk", flat=True)
    publish_on_commit([Delivery(list(told), NEWS)])
    assert receive(sockets["elsa.nordvall"])["code"] == "news"
    assert receive(sockets["alva.lind"])["code"] == "news"
    assert answers_ping(sockets["bo.ek"])


def test_publishing_without_a_transaction_touches_no_database() -> None:
    # Without the `django_db` mark, opening a connection is an error.
    publish_on_commit([Delivery([1], NEWS)])
