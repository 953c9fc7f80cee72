"""The HTTP client of pushes: one POST to a push service, bounded in every way.

It connects to an address that it has checked, follows no redirect, reads no body, and ends after
five seconds.
"""

import socket
import ssl
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from http.client import HTTPException  # noqa: TID251, only to classify it
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final

from django.conf import settings
from urllib3.connection import HTTPConnection
from urllib3.exceptions import HTTPError

from notifications.push.endpoints import Endpoint
from upstream.timed_connections import exchange_scope, timed_tls

DEADLINE_SECONDS: Final = 5.0
MAX_HEADERS: Final = 64 * 1024
HEADERS: Final = {"User-Agent": "school-wrapper"}
MAX_RETRY_AFTER: Final = 24 * 3600
# Addresses with an IPv4 address inside: of a translator (RFC 6052), of 6to4, of Teredo.
_TRANSLATED: Final = tuple(
    IPv6Network(network) for network in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")
)
# A name server that does not answer holds up its own thread only.
_resolver = ThreadPoolExecutor(max_workers=4, thread_name_prefix="push-dns")


class NotSent(Exception):
    """Nobody answered: no connection, no or no valid answer, or not in time."""


class AddressRefused(Exception):
    """The host has an address inside a network."""


@dataclass(frozen=True, slots=True)
class Answer:
    """`retry_after` is in seconds, 0 without a valid header."""

    status: int
    retry_after: int = 0


def post(endpoint: Endpoint, *, headers: dict[str, str], body: bytes) -> Answer:
    """Send one push. Raises: NotSent, AddressRefused."""
    deadline = time.monotonic() + DEADLINE_SECONDS
    try:
        addresses = _resolve(endpoint, deadline)
        if not endpoint.listed_port and not all(map(_is_public, addresses)):
            raise AddressRefused
        with _connect(endpoint, addresses, deadline) as connection:
            return _exchange(connection, endpoint, headers, body, deadline)
    except (OSError, HTTPError, HTTPException, ValueError) as error:
        raise NotSent(type(error).__name__) from None


def _resolve(endpoint: Endpoint, deadline: float) -> list[IPv4Address | IPv6Address]:
    """All addresses of the host. Raises: OSError."""
    lookup = _resolver.submit(
        socket.getaddrinfo, endpoint.host, endpoint.port, type=socket.SOCK_STREAM
    )
    addresses = lookup.result(timeout=_left(deadline))
    return [ip_address(str(address[0]).partition("%")[0]) for *_, address in addresses]


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return _is_public(address.ipv4_mapped)
        if any(address in network for network in _TRANSLATED):
            return False
    return address.is_global and not address.is_multicast


def _connect(
    endpoint: Endpoint, addresses: Sequence[IPv4Address | IPv6Address], deadline: float
) -> ssl.SSLSocket:
    raw = _open(endpoint, addresses, deadline)
    try:
        raw.settimeout(_left(deadline))
        return _tls().wrap_socket(raw, server_hostname=endpoint.host)
    except BaseException:
        raw.close()
        raise


def _open(
    endpoint: Endpoint, addresses: Sequence[IPv4Address | IPv6Address], deadline: float
) -> socket.socket:
    """A connection to the first address that takes one: many hosts here have no IPv6."""
    *others, last = addresses
    for address in others:
        with suppress(OSError):
            return socket.create_connection((str(address), endpoint.port), timeout=_left(deadline))
    return socket.create_connection((str(last), endpoint.port), timeout=_left(deadline))


@cache
def _tls() -> ssl.SSLContext:
    return timed_tls(settings.SSL_CERT_FILE)


def _exchange(
    connection: ssl.SSLSocket,
    endpoint: Endpoint,
    headers: dict[str, str],
    body: bytes,
    deadline: float,
) -> Answer:
    """Send the request, and read the status and the headers of the answer."""
    http = HTTPConnection(endpoint.host, timeout=_left(deadline))
    http.sock = connection
    about = {"Host": endpoint.origin.removeprefix("https://"), "Connection": "close"}
    with exchange_scope(deadline, bytes_left=MAX_HEADERS):
        http.request(
            "POST", endpoint.target, body, HEADERS | about | headers, preload_content=False
        )
        response = http.getresponse()
    if response.status < 200:  # one that announces the answer, which cannot be read after it
        raise NotSent("no valid answer")
    return Answer(response.status, _retry_after(response.headers.get("Retry-After", "").strip()))


def _retry_after(text: str) -> int:
    return min(int(text), MAX_RETRY_AFTER) if text.isdecimal() and len(text) < 9 else 0


def _left(deadline: float) -> float:
    """Raises: TimeoutError."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
