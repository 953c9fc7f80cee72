"""How a command reaches the server when there is no Redis.

Then cached sessions, marks and sockets are in the memory of the one server process. A function that
is `called_in_server` works on that memory: in another process its call is written to a table, in
the current transaction, and the server takes it from there twice a second. With Redis the table
stays empty.
"""

import logging
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import ParamSpec

import orjson
from django.conf import settings
from django.db import DatabaseError, InterfaceError
from django.utils import timezone

from accounts.database import release_database_connection
from accounts.encryption import seal, unseal
from accounts.models import OutboxCall
from accounts.purging import Purged, purge_rows

P = ParamSpec("P")
POLL_SECONDS = 0.5
TAKEN_AT_ONCE = 100
# Nobody takes them while no server runs, and a server that starts later knows nothing old.
KEPT = timedelta(hours=1)

logger = logging.getLogger(__name__)
# A server sets it at its start: it calls such functions itself.
is_server = False
_functions: dict[str, Callable[..., None]] = {}


def in_use() -> bool:
    """Whether calls are written to the outbox: this process is a command, and there is no Redis."""
    return not (is_server or settings.REDIS_URL)


def called_in_server(function: Callable[P, None]) -> Callable[P, None]:
    """The function, or in a command without Redis its outbox. Its arguments must be JSON."""
    name = f"{function.__module__}.{function.__qualname__}"
    _functions[name] = function

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> None:
        if not in_use():
            function(*args, **kwargs)
            return
        arguments = seal("outbox", name, orjson.dumps([args, kwargs]))
        OutboxCall.objects.create(function=name, arguments=arguments)

    return call


def start_polling() -> None:
    """Make the calls that commands leave, twice a second, in a thread. Not with Redis."""
    if not settings.REDIS_URL:
        threading.Thread(target=_poll, name="outbox", daemon=True).start()


def _poll() -> None:
    reachable = True
    while True:
        try:
            make_calls()
            reachable = True
        except (DatabaseError, InterfaceError) as error:
            if reachable:  # once for each outage
                logger.warning("the outbox cannot be read: %s", type(error).__name__)
            reachable = False
        release_database_connection()
        time.sleep(POLL_SECONDS)


def make_calls() -> None:
    """Make the waiting calls in order. Each is deleted first, so that none is made twice: a server
    that dies in between loses what the call would have changed, too."""
    while waiting := list(OutboxCall.objects.order_by("pk")[:TAKEN_AT_ONCE]):
        OutboxCall.objects.filter(pk__in=[each.pk for each in waiting]).delete()
        for each in waiting:
            _make(each)


def _make(waiting: OutboxCall) -> None:
    function = _functions.get(waiting.function)
    arguments = unseal("outbox", waiting.function, bytes(waiting.arguments))
    if function is None or arguments is None:
        return  # of another version, or of a key that was removed
    args, kwargs = orjson.loads(arguments)
    try:
        function(*args, **kwargs)
    except Exception:
        logger.exception("a call from the outbox failed")


def purge_outbox(dry_run: bool = False) -> Purged:
    """Delete the calls that no server took within an hour."""
    old = OutboxCall.objects.filter(created_at__lt=timezone.now() - KEPT)
    return purge_rows(old, "calls for the server", dry_run=dry_run)
