"""Token responses in every form."""

import json
from typing import Any

import pytest
from urllib3 import HTTPHeaderDict

from upstream.calls.tokens import read_grant
from upstream.errors import UpstreamInvalid
from upstream.records import TokenGrant
from upstream.transport import UpstreamResponse

MONTH = 2592000


def grant(document: Any, kind: str = "application/json") -> TokenGrant:
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    return read_grant(UpstreamResponse(200, HTTPHeaderDict({"Content-Type": kind}), body))


def test_the_specified_form_is_read() -> None:
    document = {"access_token": "eyJ.a-b_c.d", "token_type": "Bearer", "expires_in": MONTH,
                "scope": "read write"}  # fmt: skip
    assert grant(document) == TokenGrant("eyJ.a-b_c.d", MONTH)


def test_the_observed_form_is_read() -> None:
    document = {"access_token": "t", "refresh_token": "r", "type": "Bearer", "expires": 900}
    assert grant(document) == TokenGrant("t", 900, refresh_token="r")


@pytest.mark.parametrize(
    ("body", "kind"),
    [(b"eyJ.x.y\n", "text/plain"), (b'"eyJ.x.y"', "application/json"), (b"eyJ.x.y", ""),
     (b"\xef\xbb\xbfeyJ.x.y", "text/plain")],
)  # fmt: skip
def test_a_body_that_is_only_the_token_is_read(body: bytes, kind: str) -> None:
    assert grant(body, kind) == TokenGrant("eyJ.x.y", MONTH)


@pytest.mark.parametrize(
    ("fields", "seconds"),
    [
        ({}, MONTH),
        ({"expires_in": None}, MONTH),
        ({"expires_in": 1}, 1),
        ({"expires_in": "900"}, 900),
        ({"expires_in": 900.0}, 900),
        ({"expires": 900}, 900),
        ({"expires_in": 60, "expires": 900}, 60),
        ({"expires_in": None, "expires": 900}, 900),
    ],
)
def test_the_lifetime_is_what_upstream_says(fields: dict[str, Any], seconds: int) -> None:
    assert grant({"access_token": "t"} | fields).expires_in == seconds


@pytest.mark.parametrize(
    "value", [0, -1, 1.5, True, False, "", "soon", "-5", "1e3", "９", [], {}, 1e300, 3153600001,
              "9" * 5000, 10**30]
)  # fmt: skip
def test_an_impossible_lifetime_is_invalid(value: Any) -> None:
    for name in ("expires_in", "expires"):
        with pytest.raises(UpstreamInvalid):
            grant({"access_token": "t", name: value})


@pytest.mark.parametrize("body", [b'{"access_token":"t","expires_in":NaN}', b"NaN{", b""])
def test_other_bodies_are_invalid(body: bytes) -> None:
    with pytest.raises(UpstreamInvalid):
        grant(body)


@pytest.mark.parametrize("name", ["token_type", "type"])
def test_the_type_is_bearer_in_any_case(name: str) -> None:
    assert grant({"access_token": "t", name: "bEARER"}).access_token == "t"
    for other in ("mac", "", 7, ["Bearer"]):
        with pytest.raises(UpstreamInvalid):
            grant({"access_token": "t", name: other})


@pytest.mark.parametrize(
    "token", [None, "", 7, "a b", "a\n", "å", "a\x00", "x" * 8193, "=", ["t"], "a,b", '"a"']
)
def test_a_malformed_token_is_invalid(token: Any) -> None:
    with pytest.raises(UpstreamInvalid):
        grant({"access_token": token})
    if token not in (None, ""):
        with pytest.raises(UpstreamInvalid):
            grant({"access_token": "t", "refresh_token": token})


@pytest.mark.parametrize("document", [[], 7, None, True, {}, {"token": "t"}])
def test_a_grant_without_a_token_is_invalid(document: Any) -> None:
    with pytest.raises(UpstreamInvalid):
        grant(document)


def test_a_page_is_not_a_token() -> None:
    with pytest.raises(UpstreamInvalid):
        grant(b"welcome", "text/html")


@pytest.mark.parametrize("refresh", [None, ""])
def test_a_refresh_token_is_optional(refresh: Any) -> None:
    assert grant({"access_token": "t", "refresh_token": refresh}).refresh_token is None


def test_the_repr_hides_tokens() -> None:
    assert "canary" not in repr(grant({"access_token": "canary", "refresh_token": "canary"}))
