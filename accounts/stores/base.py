"""What the two stores share."""

from dataclasses import dataclass

MAX_CACHED_PER_OWNER = 64


@dataclass(frozen=True, slots=True)
class RequestLookup:
    values: list[bytes | None]
    cached: bytes | None
    count: int
