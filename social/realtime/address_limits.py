"""How many sockets without a session one address may open, and have open.

Only sockets that turned out to have no session are counted, before they are accepted: a whole
school can share an address. What it costs to find that out has limits of its own, such as that of
unknown cookies.
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

    async def count(self) -> None:
        """Raises: TooManyRequests; nothing is counted then."""
        await _count(self.network)
        self.counted = True

    def has_closed(self) -> None:
        """Count it as open for as long as a client that does not answer the close may hold it."""
        if self.counted:
            self.counted = False
            loop = asyncio.get_running_loop()
            end = partial(refund, OPEN_WITHOUT_SESSION, self.network)
            loop.call_later(HELD_SECONDS, partial(loop.run_in_executor, None, end))


@in_thread
def _count(network: str) -> None:
    spend(SOCKETS_WITHOUT_SESSION, network)
    try:
        spend(OPEN_WITHOUT_SESSION, network)
    except TooManyRequests:
        refund(SOCKETS_WITHOUT_SESSION, network)
        raise
