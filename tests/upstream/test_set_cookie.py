"""Reading `Set-Cookie` headers and writing `Cookie` headers."""

import pytest

from upstream.errors import SessionDead, UpstreamInvalid
from upstream.records import WebSession
from upstream.set_cookie import cookie_header, is_cookie_value, read_cookies, read_web_session


def test_it_reads_the_three_cookies() -> None:
    web = read_web_session(
        ["JSESSIONID=9C41; Path=/bjorkdalen; HttpOnly; Secure", "hash=4be1; Path=/", "usertype=1"]
    )
    assert web == WebSession(jsessionid="9C41", hash="4be1", usertype="1")


def test_usertype_is_optional() -> None:
    assert read_web_session(["JSESSIONID=A", "hash=b"]) == WebSession(jsessionid="A", hash="b")


@pytest.mark.parametrize(
    "headers",
    [
        [],
        ["JSESSIONID=A"],
        ["hash=b"],
        ["JSESSIONID=A", "xhash=1"],
        ["JSESSIONID=A", "Hash=1"],
        ["XJSESSIONID=A", "hash=b"],
        ["JSESSIONID=A", "hash="],
        ["JSESSIONID=A", "hash=b; Max-Age=0"],
        ["JSESSIONID=A", "hash=b", "hash=; Max-Age=0"],
        ["JSESSIONID=A", "other=hash=b"],
        ["JSESSIONID=A", "hash"],
    ],
)
def test_without_both_names_there_is_no_session(headers: list[str]) -> None:
    assert read_web_session(headers) is None


def test_cookies_joined_in_one_header_are_separated() -> None:
    folded = (
        "locale=sv; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Path=/, JSESSIONID=A; Path=/,"
        "xhash=1,hash=b; expires=Wed, 09-Jun-27 10:18:14 GMT, usertype=2"
    )
    assert read_cookies([folded]) == {
        "locale": "sv",
        "JSESSIONID": "A",
        "xhash": "1",
        "hash": "b",
        "usertype": "2",
    }


def test_a_value_may_contain_equals_signs() -> None:
    assert read_cookies(["hash=a=b=="]) == {"hash": "a=b=="}


def test_the_last_of_a_name_counts() -> None:
    assert read_cookies(["hash=a", "hash=b"]) == {"hash": "b"}


@pytest.mark.parametrize("value", ['"quoted"', "a b", "å", "a\\b", "a\x00b", "x" * 1025])
def test_an_illegal_value_from_upstream_is_invalid(value: str) -> None:
    with pytest.raises(UpstreamInvalid):
        read_web_session(["JSESSIONID=A", f"hash={value}"])


@pytest.mark.parametrize(
    "value", ["abc; hash=other", "a,b", "a\r\nX: y", "a\n", "", " a", "å", None]
)
def test_a_value_that_could_inject_a_cookie_is_rejected(value: object) -> None:
    assert not is_cookie_value(value)


def test_an_illegal_value_is_never_sent() -> None:
    for web in (
        WebSession(jsessionid="a; hash=x", hash="b"),
        WebSession(jsessionid="a", hash="b\r\nHost: evil"),
        WebSession(jsessionid="a", hash="b", usertype="1;x=y"),
    ):
        with pytest.raises(SessionDead):
            cookie_header(web)


def test_the_header_has_the_cookies_of_the_session() -> None:
    assert cookie_header(WebSession(jsessionid="a", hash="b")) == "JSESSIONID=a; hash=b"
    with_type = WebSession(jsessionid="a", hash="b", usertype="1")
    assert cookie_header(with_type) == "JSESSIONID=a; hash=b; usertype=1"


def test_the_repr_hides_every_value() -> None:
    assert "secret" not in repr(WebSession(jsessionid="secret", hash="secret"))
