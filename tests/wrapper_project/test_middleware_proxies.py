"""The client's address: from the connection, or from a trusted proxy."""

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

PROXIES = ["10.0.0.0/8", "2001:db8:ffff::/48"]

# peer, X-Forwarded-For, the client's address
CASES = {
    "no proxy": ("203.0.113.5", "", "203.0.113.5"),
    "a stranger forwards": ("203.0.113.5", "198.51.100.1", "203.0.113.5"),
    "our proxy forwards": ("10.0.0.1", "198.51.100.1", "198.51.100.1"),
    "the caller made up a hop": ("10.0.0.1", "192.0.2.9, 198.51.100.1", "198.51.100.1"),
    "two of our proxies": ("10.0.0.1", "198.51.100.1, 10.2.0.1", "198.51.100.1"),
    "only our proxies": ("10.0.0.1", "10.3.0.1, 10.2.0.1", "10.3.0.1"),
    "nonsense": ("10.0.0.1", "nonsense", "10.0.0.1"),
    "nonsense before": ("10.0.0.1", "198.51.100.1, nonsense, 10.2.0.1", "10.2.0.1"),
    "nothing": ("10.0.0.1", "", "10.0.0.1"),
    "empty hops": ("10.0.0.1", ", ,", "10.0.0.1"),
    "IPv6": ("2001:db8:ffff::1", "2001:db8:1::5", "2001:db8:1::5"),
    "IPv6 in brackets": ("10.0.0.1", "[2001:db8:1::5]", "2001:db8:1::5"),
    "IPv4 in IPv6": ("::ffff:10.0.0.1", "::ffff:198.51.100.1", "198.51.100.1"),
    "a socket of the file system": ("", "198.51.100.1", ""),
}


@pytest.mark.parametrize(("peer", "forwarded", "counts"), CASES.values(), ids=CASES)
def test_the_client_address(
    peer: str, forwarded: str, counts: str, settings: Settings, odd: Client
) -> None:
    settings.TRUSTED_PROXIES = PROXIES
    answer = odd.get("/api/who", headers={"x-forwarded-for": forwarded}, REMOTE_ADDR=peer)
    assert answer.json()["address"] == counts


def test_no_proxy_is_trusted_by_default(odd: Client) -> None:
    headers = {"x-forwarded-for": "198.51.100.1", "x-forwarded-proto": "https"}
    answer = odd.get("/api/who", headers=headers, REMOTE_ADDR="127.0.0.1")
    assert answer.json() == {"address": "127.0.0.1", "https": False}


@pytest.mark.parametrize(("peer", "https"), [("10.0.0.1", True), ("203.0.113.5", False)])
def test_only_a_trusted_proxy_sets_the_scheme(
    peer: str, https: bool, settings: Settings, odd: Client
) -> None:
    settings.TRUSTED_PROXIES = PROXIES
    answer = odd.get("/api/who", headers={"x-forwarded-proto": "https"}, REMOTE_ADDR=peer)
    assert answer.json()["https"] is https
    assert ("Strict-Transport-Security" in answer.headers) is https


def test_plain_http_is_never_redirected(odd: Client) -> None:
    assert odd.get("/api/who").status_code == 200
