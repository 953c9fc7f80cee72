"""Which addresses a push may go to.

A client gives us the address, so it could name anything inside our network. It has to be https on a
listed host, and the client (`client.py`) connects only to public addresses.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings

from notifications.errors import PushEndpointRefused

MAX_LENGTH: Final = 2048
# The services of Chrome, Firefox, Safari and Edge.
BROWSER_HOSTS: Final = (
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    "*.push.apple.com",
    "*.notify.windows.com",
)
_LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_HOST = re.compile(rf"(?:{_LABEL}\.)*{_LABEL}")
# What ends in a number is an address: 127.1, 0x7f.1, 2130706433.
_NUMBER = re.compile(r"(?:[0-9]+|0x[0-9a-f]*)")
_PRINTABLE = re.compile(r"[!-~]+")
_ENTRY = re.compile(r"(?P<host>(?:\*\.)?[a-z0-9.-]+?)(?::(?P<port>[0-9]{1,5}))?")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address of a push service. `listed_port`: the operator named its host and port, so it may
    be inside the network."""

    host: str
    port: int
    target: str
    listed_port: bool

    @property
    def origin(self) -> str:
        """Scheme, host and port, for which a push is signed (VAPID)."""
        return f"https://{self.host}" + ("" if self.port == 443 else f":{self.port}")


def read_endpoint(url: str) -> Endpoint:
    """The parts of an address that a client gave. Raises: PushEndpointRefused."""
    if len(url) > MAX_LENGTH or not _PRINTABLE.fullmatch(url) or "\\" in url or "#" in url:
        raise PushEndpointRefused
    try:
        parts = urlsplit(url)
        port = 443 if parts.port is None else parts.port
    except ValueError:
        raise PushEndpointRefused from None
    host = parts.netloc.lower().removesuffix(f":{port}")
    if parts.scheme != "https" or not _is_name(host):
        raise PushEndpointRefused
    hosts = allowed_hosts()
    listed_port = f"{host}:{port}" in hosts
    if not listed_port and (port != 443 or not _is_listed(host, hosts)):
        raise PushEndpointRefused
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Endpoint(host, port, target, listed_port)


def allowed_hosts() -> frozenset[str]:
    """The hosts of PUSH_HOSTS; entries that begin with `+` are added to those of the browsers."""
    entries = [entry.lower() for entry in settings.PUSH_HOSTS]
    replaced = [entry for entry in entries if not entry.startswith("+")]
    added = [entry.removeprefix("+") for entry in entries if entry.startswith("+")]
    return frozenset([*(replaced or BROWSER_HOSTS), *added])


def invalid_hosts(entries: Iterable[str]) -> list[str]:
    """Those of PUSH_HOSTS that name no host."""
    return [entry for entry in entries if not _is_entry(entry.lower().removeprefix("+"))]


def _is_entry(entry: str) -> bool:
    match = _ENTRY.fullmatch(entry)
    return match is not None and _is_name(match["host"].removeprefix("*."))


def _is_name(host: str) -> bool:
    last = host.rpartition(".")[2]
    return len(host) < 254 and bool(_HOST.fullmatch(host)) and not _NUMBER.fullmatch(last)


def _is_listed(host: str, hosts: frozenset[str]) -> bool:
    if host in hosts:
        return True
    return any(pattern.startswith("*.") and host.endswith(pattern[1:]) for pattern in hosts)
