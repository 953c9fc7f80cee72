"""Who opened the socket: the session is checked in a thread, as for any request."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import DatabaseError, InterfaceError

from accounts import websocket_auth
from accounts.callers import Caller
from accounts.errors import AccountSuspended, NotSignedIn, StoreUnavailable, TooManyRequests
from social.limits import SIGN_IN_THREADS
from social.realtime.background_tasks import in_thread
from social.realtime.close_codes import CloseCode
from social.realtime.events import EndReason
from upstream.errors import SessionDead, UpstreamError

_TEMPORARY = (
    UpstreamError,
    StoreUnavailable,
    TooManyRequests,
    DatabaseError,
    InterfaceError,
    TimeoutError,
)
logger = logging.getLogger(__name__)

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
            return await _caller(scope)
    except AccountSuspended:
        raise Refused("account_suspended", CloseCode.SUSPENDED) from None
    except (NotSignedIn, SessionDead):
        raise Refused("not_signed_in", CloseCode.NO_SESSION) from None
    except _TEMPORARY as error:
        # The session may be valid: 1013 keeps the client from signing out.
        logger.warning("a socket could not be signed in: %s", type(error).__name__)
        raise Refused("try_again_later", CloseCode.TRY_AGAIN_LATER) from None


async def why_ended(caller: Caller) -> EndReason | None:
    """Why this caller's session is over; None while it is valid, or cannot be checked."""
    try:
        return await _why_ended(caller)
    except (DatabaseError, InterfaceError):
        return None


_why_ended = in_thread(websocket_auth.why_ended)
_caller = in_thread(websocket_auth.caller_from_scope, _threads)
