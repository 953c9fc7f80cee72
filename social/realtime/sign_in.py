"""Who opened the socket: the session is checked in a thread, as for any request."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from channels.db import database_sync_to_async
from django.db import Error

from accounts import websocket_auth
from accounts.addresses import network_of
from accounts.callers import Caller
from accounts.errors import AccountSuspended, NotSignedIn
from limits import TooManyRequests, spend
from social.limits import NEW_SOCKETS, SIGN_IN_THREADS, SOCKETS_WITHOUT_SESSION
from social.realtime.close_codes import CloseCode
from social.realtime.events import EndReason
from store import StoreUnavailable
from upstream.errors import SessionDead, UpstreamError

_TEMPORARY = (UpstreamError, StoreUnavailable, TooManyRequests, Error, TimeoutError)
logger = logging.getLogger(__name__)
# Threads of their own: while the school's system is slow, open sockets need theirs.
_threads = ThreadPoolExecutor(SIGN_IN_THREADS, thread_name_prefix="socket-sign-in")


class Refused(Exception):
    """The socket is refused: the `code` of the `error` event, and the close code."""

    def __init__(self, code: str, close_code: CloseCode) -> None:
        super().__init__(code)
        self.code = code
        self.close_code = close_code


async def sign_in(scope: dict[str, Any], seconds: float) -> Caller:
    """The caller behind the cookies or the `Authorization` header; never the URL.

    Raises: Refused.
    """
    try:
        async with asyncio.timeout(seconds):
            caller: Caller = await _caller(scope)
            return caller
    except AccountSuspended:
        raise Refused("account_suspended", CloseCode.SUSPENDED) from None
    except (NotSignedIn, SessionDead):
        raise Refused("not_signed_in", CloseCode.NO_SESSION) from None
    except _TEMPORARY as error:
        # The session may be valid: 1013 keeps the client from signing out.
        logger.warning("a socket could not be signed in: %s", type(error).__name__)
        raise Refused("try_again_later", CloseCode.TRY_AGAIN_LATER) from None


async def count_new_socket(scope: dict[str, Any], caller: Caller | None) -> None:
    """Count the socket for its person, or for its address when nobody is signed in.

    Raises: TooManyRequests.
    """
    if caller is not None:
        await _spend(NEW_SOCKETS, caller.person_hash)
    else:
        client = scope.get("client") or ("", 0)
        await _spend(SOCKETS_WITHOUT_SESSION, network_of(client[0]))


async def why_ended(caller: Caller) -> EndReason | None:
    """Why this caller's session is over; None while it is valid, or cannot be checked."""
    try:
        reason: EndReason | None = await _why_ended(caller)
        return reason
    except Error:
        return None


_caller = database_sync_to_async(
    websocket_auth.caller_from_scope, thread_sensitive=False, executor=_threads
)
_spend = database_sync_to_async(spend, thread_sensitive=False)
_why_ended = database_sync_to_async(websocket_auth.why_ended, thread_sensitive=False)
