"""Publishing events: every event goes through this module, and leaves after the commit."""

import hashlib
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

from django.db import transaction

from social.realtime.events import Event
from social.realtime.sender import GroupMessage, send


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

    Never raises and never waits. An event may get lost while the channel layer is away or a client
    is slow: clients then read the change by REST. Without Redis a command reaches no socket of the
    server.
    """
    batch: list[GroupMessage] = []
    for account_ids, event in deliveries:
        message = _message(event)
        batch += [(account_group(account_id), message) for account_id in account_ids]
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
    transaction.on_commit(partial(send, batch), robust=True)
