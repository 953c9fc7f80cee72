"""A socket's caller behind a proxy, as HTTP's."""

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


def test_a_trusted_proxy_says_who_called_and_how() -> None:
    seen = TrustedProxies(["10.0.0.0/8"]).socket_scope(
        scope("10.0.0.1", x_forwarded_for="198.51.100.7", x_forwarded_proto="https")
    )

    assert (seen["client"][0], seen["scheme"]) == ("198.51.100.7", "wss")


@pytest.mark.parametrize("networks", [[], ["10.0.0.0/8"]])
def test_anyone_else_speaks_for_himself(networks: list[str]) -> None:
    given = scope("203.0.113.5", x_forwarded_for="198.51.100.7", x_forwarded_proto="https")

    seen = TrustedProxies(networks).socket_scope(given)

    assert (seen["client"][0], seen["scheme"]) == ("203.0.113.5", "ws")


def test_a_socket_without_an_address_is_left_as_it_is() -> None:
    given = scope("") | {"client": None}

    assert TrustedProxies(["10.0.0.0/8"]).socket_scope(given) == given
