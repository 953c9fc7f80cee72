"""The client's address behind our own proxies."""

import ipaddress
from collections.abc import Iterable

from accounts.addresses import Address, parsed_address


class TrustedProxies:
    """The networks of TRUSTED_PROXIES.

    `X-Forwarded-For` is read from the right, where our own proxies write, up to the first address
    that is not trusted.
    """

    def __init__(self, networks: Iterable[str]) -> None:
        self.networks = [ipaddress.ip_network(text, strict=False) for text in networks]

    def client(self, peer_text: str, forwarded: str) -> str | None:
        """The client's address, or None if the peer is not a trusted proxy."""
        peer = parsed_address(peer_text) if self.networks else None
        if peer is None or not self._trusts(peer):
            return None
        client = peer
        for hop in reversed(forwarded.split(",")):
            address = parsed_address(hop)
            if address is None:  # malformed
                break
            client = address
            if not self._trusts(address):
                break
        return str(client)

    def _trusts(self, address: Address) -> bool:
        return any(address in network for network in self.networks)
