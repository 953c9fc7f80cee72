"""The queues of sockets in this process's channel layer: a socket has one until it has ended."""

import time

from channels.layers import get_channel_layer

from social.realtime.layers import RedisLayer


def queues() -> set[str]:
    """The names of all queues. Servers that earlier tests have stopped may have left some."""
    layer = get_channel_layer()
    if isinstance(layer, RedisLayer):
        return {name for each in layer._layers.values() for name in each.channels}
    return set(layer.channels)


def wait_for_a_new_queue(before: set[str]) -> set[str]:
    """Wait for the queue of the one socket that was opened since. In memory it exists only while
    the socket waits for a message, and not while it handles one."""
    deadline = time.monotonic() + 5
    while not (new := queues() - before) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(new) == 1
    return new


def only_these_are_left(before: set[str]) -> bool:
    """Wait until every other socket has ended; whether it did so in time."""
    deadline = time.monotonic() + 5
    while queues() - before and time.monotonic() < deadline:
        time.sleep(0.01)  # nothing announces the end of a socket to others
    return not queues() - before
