"""Share cards: something of the sender's, shown in a message as it was when it was sent."""

from collections.abc import Mapping
from typing import Any

from accounts.callers import Caller
from accounts.registry import share_cards


def build_card(caller: Caller, request: Mapping[str, Any]) -> dict[str, Any]:
    """The card that a client asked for, built by the app that owns the thing.

    Call it before taking a lock: it may ask the database or upstream. Raises what the app raises,
    such as "not there" for what the caller cannot see.
    """
    (kind,) = (kind for kind in share_cards() if kind.name == request["type"])
    return kind.build(caller, request[kind.id_field])
