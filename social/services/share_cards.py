"""Cards: something of the sender's own, shown in a message as it was when it was sent."""

from collections.abc import Callable, Mapping
from typing import Any, cast

from django.conf import settings
from django.utils.module_loading import import_string

from accounts.callers import Caller

Builder = Callable[[Caller, dict[str, Any]], dict[str, Any]]


def build_card(caller: Caller, request: Mapping[str, Any]) -> dict[str, Any]:
    """What the app behind `request["type"]` shows of it to others.

    It may ask the database or upstream: to be called before any lock is taken. Raises what the
    builder raises, among them "not there" for what the caller cannot see.
    """
    builder = cast(Builder, import_string(settings.SHARE_CARD_BUILDERS[request["type"]]))
    return builder(caller, dict(request))
