"""How many sockets without a session one address may open, and have open.

A socket is counted before its session is looked up, and no longer once it has one: a whole school
can share an address. Where an address has too many, its next sockets are signed in before they are
accepted, so that only those with a session are.
"""

import asyncio
from functools import partial

from accounts.addresses import network_of
from accounts.errors import TooManyRequests
from accounts.rate_limits import refund, spend
from social.limits import OPEN_WITHOUT_SESSION, SOCKETS_WITHOUT_SESSION
from social.realtime.background_tasks import in_thread

# The server drops the connection then: CLOSE_SECONDS of `wrapper_project/servers/socket_worker.py`.
HELD_SECONDS = 2.0


class AddressCount:
    """What one socket counts for, against the limits of its address."""

    def __init__(self, address: str) -> None:
        self.network = network_of(address)
        self.counted = False

    async def begin(self) -> None:
        """Raises: TooManyRequests; nothing is counted then."""
        await _begin(self.network)
        self.counted = True

    async def has_session(self) -> None:
        if self.counted:
            self.counted = False
            await _take_back(self.network)

    def has_closed(self) -> None:
        """Count it as open for as long as a client that does not answer the close may hold it."""
        if self.counted:
            self.counted = False
            loop = asyncio.get_running_loop()
            end = partial(refund, OPEN_WITHOUT_SESSION, self.network)
            loop.call_later(HELD_SECONDS, partial(loop.run_in_executor, None, end))


@in_thread
def _begin(network: str) -> None:
    spend(SOCKETS_WITHOUT_SESSION, network)
    try:
        spend(OPEN_WITHOUT_SESSION, network)
    except TooManyRequests:
        refund(SOCKETS_WITHOUT_SESSION, network)
        raise


@in_thread
def _take_back(network: str) -> None:
    refund(OPEN_WITHOUT_SESSION, network)
    refund(SOCKETS_WITHOUT_SESSION, network)
