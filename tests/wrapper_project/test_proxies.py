"""The client's address of a WebSocket behind a proxy."""

from typing import Any

import pytest

from wrapper_project.servers.proxies import TrustedProxies


def scope(peer: str, **headers: str) -> dict[str, Any]:
    return {
        "type": "websocket",
        "scheme": "ws",
        "client": (peer, 5555),
        "headers": [
            (name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()
        ],
    }


def test_a_trusted_proxy_sets_address_and_scheme() -> None:
    seen = TrustedProxies(["10.0.0.0/8"]).socket_scope(
        scope("10.0.0.1", x_forwarded_for="198.51.100.7", x_forwarded_proto="https")
    )

    assert (seen["client"][0], seen["scheme"]) == ("198.51.100.7", "wss")


@pytest.mark.parametrize("networks", [[], ["10.0.0.0/8"]])
def test_forwarded_headers_of_others_are_ignored(networks: list[str]) -> None:
    given = scope("203.0.113.5", x_forwarded_for="198.51.100.7", x_forwarded_proto="https")

    seen = TrustedProxies(networks).socket_scope(given)

    assert (seen["client"][0], seen["scheme"]) == ("203.0.113.5", "ws")


def test_a_socket_without_an_address_is_unchanged() -> None:
    given = scope("") | {"client": None}

    assert TrustedProxies(["10.0.0.0/8"]).socket_scope(given) == given
