"""Publishing events: every one goes through this module; `sender.py` sends it after the commit."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.db import transaction

from accounts import outbox
from social.realtime.events import Event
from social.realtime.layers import GroupMessage
from social.realtime.sender import sender


class Delivery(NamedTuple):
    """An event, and the accounts that receive it."""

    account_ids: Iterable[int]
    event: Event


def account_group(account_id: int) -> str:
    """The channel layer's group of all sockets of one account."""
    return f"account.{account_id}"


def session_tag(session_key: str) -> str:
    """A session's name in messages of the channel layer. The key is hashed: Redis shows them."""
    return hashlib.sha256(session_key.encode()).hexdigest()[:40]


def publish_on_commit(deliveries: Iterable[Delivery]) -> None:
    """Send each event to the sockets of its accounts, in order, once the current transaction is
    committed, or now without one.

    Takes microseconds; never raises and never waits. An event may get lost while the channel
    layer is away or a client is slow: clients then read the change by REST. A command without
    Redis writes them to the outbox, in the transaction.
    """
    batch: list[GroupMessage] = []
    for account_ids, event in deliveries:
        message = _message(event)
        batch += [(account_group(each), message) for each in account_ids]
    _send_on_commit(batch)


def publish_to_session(account_id: int, session_key: str, event: Event) -> None:
    """As `publish_on_commit`, to the sockets of one session of the account."""
    _send_on_commit([(account_group(account_id), _message(event, session_key))])


def _message(event: Event, session_key: str | None = None) -> dict[str, Any]:
    close = None if event.close_code is None else int(event.close_code)
    message = {"type": "deliver", "text": event.to_text(), "close": close}
    if session_key is not None:
        message |= {"type": "deliver.to.session", "session": session_tag(session_key)}
    return message


def _send_on_commit(batch: Sequence[GroupMessage]) -> None:
    connection = transaction.get_connection()
    if connection.in_atomic_block and not outbox.in_use():
        connection.on_commit(lambda: sender.send(batch), robust=True)
    else:  # not on_commit, which would open a connection only to find no transaction
        _send(batch)


@outbox.called_in_server
def _send(batch: Sequence[GroupMessage]) -> None:
    sender.send(batch)
