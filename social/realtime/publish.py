"""The one door for events: they leave after the commit, to accounts or to a session."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from social.realtime.events import Event
from social.realtime.groups import account_group, session_group
from social.realtime.layers import GroupMessage
from social.realtime.sender import sender


@dataclass(frozen=True, slots=True)
class ToAccounts:
    """For every open socket of these accounts."""

    account_ids: Sequence[int]
    event: Event


@dataclass(frozen=True, slots=True)
class ToSession:
    """For every open socket of one session."""

    session_key: str = field(repr=False)
    event: Event


Letter = ToAccounts | ToSession


def publish_on_commit(letters: Sequence[Letter]) -> None:
    """Send all letters, in order, once the current transaction is committed, or now without one.

    Takes microseconds; never raises and never waits. An event may get lost where the channel
    layer is away or a reader is slow: the database is the truth.
    """
    batch = [addressed for letter in letters for addressed in _address(letter)]
    connection = transaction.get_connection()
    if connection.in_atomic_block:
        connection.on_commit(lambda: sender.send(batch), robust=True)
    else:  # not on_commit, which would open a connection only to find no transaction
        sender.send(batch)


def _address(letter: Letter) -> list[GroupMessage]:
    event = letter.event
    message: dict[str, Any] = {
        "type": "deliver",
        "event": event.type,
        "text": event.to_text(),
        "close": None,
    }
    if event.close_code is not None:
        message["close"] = int(event.close_code)
    if isinstance(letter, ToSession):
        return [(session_group(letter.session_key), message)]
    return [(account_group(account_id), message) for account_id in letter.account_ids]
