"""The two channel layers of channels, with `group_send_many` for a whole batch.

Sockets are addressed by their group only, never one by one.

Each `group_send` costs a round trip to Redis: an event for fifty accounts would keep the loop busy
for ten milliseconds. A pipeline needs one round trip.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any
from uuid import uuid4

from channels.exceptions import ChannelFull
from channels.layers import InMemoryChannelLayer
from channels_redis.pubsub import RedisPubSubChannelLayer

from social.limits import MEMORY_GROUP_SECONDS, MEMORY_LAYER_CAPACITY

# A group of the channel layer, and the message for each of its sockets.
GroupMessage = tuple[str, dict[str, Any]]


class MemoryLayer(InMemoryChannelLayer):  # type: ignore[misc]
    """For one process without Redis."""

    def __init__(self) -> None:
        super().__init__(capacity=MEMORY_LAYER_CAPACITY, group_expiry=MEMORY_GROUP_SECONDS)

    async def group_send_many(self, batch: Sequence[GroupMessage]) -> None:
        """Send all, in order, without a task for each."""
        for group, message in batch:
            for channel in list(self.groups.get(group, ())):
                with suppress(ChannelFull):  # delivery is at most once
                    await self.send(channel, message)

    def forget(self, channel: str) -> None:
        """Drop the queue of a socket that has ended."""
        self.channels.pop(channel, None)


class RedisLayer(RedisPubSubChannelLayer):  # type: ignore[misc]
    """For any number of processes. Uses internals of channels-redis, whose version is pinned."""

    async def new_channel(self, prefix: str = "specific.") -> str:
        """A name with its queue, but not subscribed: nothing is sent to a channel alone."""
        layer = self._get_layer()
        channel = f"{layer.prefix}{prefix}{uuid4().hex}"
        layer.channels[channel] = asyncio.Queue()
        return channel

    async def receive(self, channel: str) -> Any:
        """The next message. When it is cancelled, the queue stays until `forget`."""
        return self.deserialize(await self._get_layer().channels[channel].get())

    def forget(self, channel: str) -> None:
        """Drop the queue of a socket that has ended."""
        self._get_layer().channels.pop(channel, None)

    async def group_send_many(self, batch: Sequence[GroupMessage]) -> None:
        """Send all, in order, in one round trip. A message for several groups is packed once."""
        layer = self._get_layer()
        packed: dict[int, bytes] = {}
        by_shard: dict[Any, list[tuple[str, bytes]]] = {}
        for group, message in batch:
            name = layer._get_group_channel_name(group)
            if id(message) not in packed:  # the batch keeps all of them alive
                packed[id(message)] = self.serialize(message)
            by_shard.setdefault(layer._get_shard(name), []).append((name, packed[id(message)]))
        for shard, messages in by_shard.items():
            async with shard._lock:
                shard._ensure_redis()
                async with shard._redis.pipeline(transaction=False) as pipe:
                    for name, data in messages:
                        pipe.publish(name, data)
                    await pipe.execute()
