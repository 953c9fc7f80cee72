"""Django's cache in Redis, with one client of redis-py in place of one for each command."""

from functools import cached_property
from typing import Any

from django.core.cache.backends import redis


class _Client(redis.RedisCacheClient):
    @cached_property
    def _shared_client(self) -> Any:
        return super().get_client(write=True)

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        """All threads may share a client, and there is one server. Django makes a client for each
        command, which took a sixth of the CPU of a page from the school."""
        return self._shared_client


class RedisCache(redis.RedisCache):
    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = _Client
