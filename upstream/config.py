"""Where the school system is and how much of this process it may use."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from urllib.parse import urlsplit

from upstream.deadline import TOTAL_SECONDS
from upstream.dialects import DIALECTS, Dialect


@dataclass(frozen=True, kw_only=True)
class UpstreamConfig:
    """The address, dialects, deadlines (in seconds) and limits of an `UpstreamClient`.

    `dialects` maps a school's slug to the name of its dialect; the key "" is for all others.
    `threads` is how many threads the server has; one school may occupy a share of them.
    `max_in_flight` is the calls of one school at a time, `per_request` those of one request.

    Raises: ValueError for an invalid address or an unknown dialect.
    """

    base_url: str
    dialects: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({"": "specified"}))
    max_in_flight: int = 64
    per_request: int = 40
    threads: int = 64
    connect_seconds: float = 2.0
    total_seconds: float = TOTAL_SECONDS
    wait_seconds: float = 1.0
    ca_file: str | None = None

    def __post_init__(self) -> None:
        parts = urlsplit(self.base_url)
        if (
            parts.scheme not in ("http", "https")
            or not parts.hostname
            or "@" in parts.netloc
            or parts.query
            or parts.fragment
            or self.base_url.endswith("/")
        ):
            raise ValueError("UPSTREAM_URL is scheme://host[:port][/prefix] and no more")
        for name in self.dialects.values():
            if name not in DIALECTS:
                raise ValueError(f"there is no dialect {name!r}")

    def dialect(self, school: str) -> Dialect:
        return DIALECTS[self.dialects.get(school) or self.dialects[""]]
