"""Publishing events: each one leaves through `publish_on_commit`, after the commit."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

from django.db import transaction

from accounts import outbox
from social.realtime.events import Event
from social.realtime.layers import GroupMessage
from social.realtime.sender import sender


def account_group(account_id: int) -> str:
    """The channel layer's group of all sockets of one account."""
    return f"account.{account_id}"


def session_tag(session_key: str) -> str:
    """A session's name in messages of the channel layer. The key is hashed: Redis shows them."""
    return hashlib.sha256(session_key.encode()).hexdigest()[:40]


@dataclass(frozen=True, slots=True)
class Delivery:
    """One event, and the groups of sockets that receive it.

    `session`: the tag of the only session whose sockets pass it on; None: all of them do.
    """

    recipients: Sequence[str]
    event: Event
    session: str | None = None

    @classmethod
    def to_accounts(cls, account_ids: Iterable[int], event: Event) -> Self:
        return cls([account_group(account_id) for account_id in account_ids], event)

    @classmethod
    def to_session(cls, account_id: int, session_key: str, event: Event) -> Self:
        return cls([account_group(account_id)], event, session_tag(session_key))


def publish_on_commit(deliveries: Sequence[Delivery]) -> None:
    """Send the events, in order, once the current transaction is committed, or now without one.

    Takes microseconds; never raises and never waits. An event may get lost while the channel
    layer is away or a client is slow: clients then read the change by REST. A command without
    Redis writes them to the outbox, in the transaction.
    """
    batch = [message for delivery in deliveries for message in _messages(delivery)]
    connection = transaction.get_connection()
    if connection.in_atomic_block and not outbox.in_use():
        connection.on_commit(lambda: sender.send(batch), robust=True)
    else:  # not on_commit, which would open a connection only to find no transaction
        _send(batch)


@outbox.called_in_server
def _send(batch: Sequence[GroupMessage]) -> None:
    sender.send(batch)


def _messages(delivery: Delivery) -> list[GroupMessage]:
    event = delivery.event
    message: dict[str, Any] = {
        "type": "deliver" if delivery.session is None else "deliver.to.session",
        "text": event.to_text(),
        "close": None if event.close_code is None else int(event.close_code),
    }
    if delivery.session is not None:
        message["session"] = delivery.session
    return [(group, message) for group in delivery.recipients]
