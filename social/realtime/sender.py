"""Sends events to the channel layer from one thread of the process, in order.

The thread keeps its event loop, and so its connection to Redis; `async_to_sync` in the thread of a
request would open a loop and a connection for each event. A process that serves sockets sends from
the loop that serves them: the in-memory layer works in no other.
"""

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import BoundedSemaphore
from typing import Any

from channels.layers import get_channel_layer

from social.limits import SEND_SECONDS, WAITING_BATCHES

# A group of the channel layer, and the message for each of its sockets.
GroupMessage = tuple[str, dict[str, Any]]

logger = logging.getLogger(__name__)
# At the end of the process, Python waits for what this thread still has to send.
_thread = ThreadPoolExecutor(1, thread_name_prefix="events")
_own_loop = asyncio.Runner()  # runs in `_thread` only
_serving_loop: asyncio.AbstractEventLoop | None = None
_room = BoundedSemaphore(WAITING_BATCHES)


def send_from(loop: asyncio.AbstractEventLoop) -> None:
    """Use this loop, which serves sockets, for as long as it runs."""
    global _serving_loop  # noqa: PLW0603
    _serving_loop = loop


def send(batch: Sequence[GroupMessage]) -> None:
    """Send soon. Never waits and never raises: when the channel layer is away or too slow, the
    batch is dropped with a warning."""
    if _room.acquire(blocking=False):
        _thread.submit(_send, batch)
    else:
        logger.warning("events dropped: the channel layer is too slow")


def wait_until_sent() -> None:
    """Wait for everything that was published before."""
    _thread.submit(lambda: None).result()


def _send(batch: Sequence[GroupMessage]) -> None:
    try:
        _run(_group_send(batch))
    except Exception as error:  # noqa: BLE001 - delivery is at most once
        logger.warning("events not sent: %s", type(error).__name__)
    finally:
        _room.release()


def _run(sending: Coroutine[Any, Any, None]) -> None:
    if _serving_loop is not None and _serving_loop.is_running():
        asyncio.run_coroutine_threadsafe(sending, _serving_loop).result(2 * SEND_SECONDS)
    else:
        _own_loop.run(sending)


async def _group_send(batch: Sequence[GroupMessage]) -> None:
    layer = get_channel_layer()
    async with asyncio.timeout(SEND_SECONDS):
        for group, message in batch:
            await layer.group_send(group, message)
