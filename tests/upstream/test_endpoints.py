"""The URL builder: no argument makes a URL outside the host and the school."""

from urllib.parse import urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from upstream import endpoints
from upstream.endpoints import IllegalUrl, build_url, is_slug, with_query

BASE = "https://sms.example:8443/prefix"

TRICKS = [
    "",
    "..",
    "../other",
    "a/b",
    "a%2fb",
    "//evil.example",
    "evil.example",
    "@evil.example",
    "a@evil.example",
    "a:80",
    "a?x=1",
    "a#fragment",
    "a\\b",
    "a b",
    "a\n",
    "a\r\nHost: evil",
    "a\x00",
    "Bjorkdalen",
    "björkdalen",
    "skola１",  # a full-width digit
    "-leading",
    "_leading",
    "x" * 64,
]


@pytest.mark.parametrize("slug", TRICKS)
def test_it_refuses_an_invalid_slug(slug: str) -> None:
    assert not is_slug(slug)
    with pytest.raises(IllegalUrl):
        build_url(BASE, slug, endpoints.SESSION)


@pytest.mark.parametrize("slug", ["a", "0", "bjorkdalen", "asa-friskola", "a_b", "x" * 63])
def test_it_accepts_a_valid_slug(slug: str) -> None:
    assert is_slug(slug)
    assert build_url(BASE, slug, endpoints.SESSION) == f"{BASE}/{slug}/rest-api/session"


@pytest.mark.parametrize("thing", [None, 7, b"a", ["a"]])
def test_a_slug_is_text(thing: object) -> None:
    assert not is_slug(thing)


@given(slug=st.text(max_size=80))
@example(slug="a\n")
@example(slug="..")
def test_every_url_is_inside_the_school_or_refused(slug: str) -> None:
    try:
        url = build_url(BASE, slug, endpoints.LESSONS, role="student", week=11)
    except IllegalUrl:
        return
    parts = urlsplit(url)
    assert (parts.scheme, parts.netloc) == ("https", "sms.example:8443")
    assert parts.path == f"/prefix/{slug}/rest-api/student/calendar/lessons/week/11"
    assert not parts.query
    assert not parts.fragment


@pytest.mark.parametrize("week", [-1, "11", "../1", 1.5, True, None, 2**63])
def test_path_segments_are_whole_numbers(week: object) -> None:
    with pytest.raises(IllegalUrl):
        build_url(BASE, "a", endpoints.LESSONS, role="student", week=week)  # type: ignore[arg-type]


@pytest.mark.parametrize("role", ["admin", "../student", "Student", "{week}"])
def test_an_unknown_role_is_refused(role: str) -> None:
    with pytest.raises(IllegalUrl):
        build_url(BASE, "a", endpoints.LESSONS, role=role, week=1)


def test_every_field_of_a_path_must_be_filled() -> None:
    with pytest.raises(IllegalUrl):
        build_url(BASE, "a", endpoints.LESSONS, week=1)
    with pytest.raises(IllegalUrl):
        build_url(BASE, "a", endpoints.LESSONS, role="student")


@pytest.mark.parametrize("path", ["/../other", "//evil.example/", "/a?b=c", "/a#b", "no-slash", ""])
def test_a_path_outside_the_school_is_refused(path: str) -> None:
    with pytest.raises(IllegalUrl):
        build_url(BASE, "a", path)


def test_the_school_lists_are_outside_the_schools() -> None:
    url = build_url(BASE, None, endpoints.SCHOOL_LIST)
    assert url == f"{BASE}/internal/rest-api/login/schoollist"


def test_every_template_can_be_filled() -> None:
    fields = "week year room assignment grade_type section planning part number file"
    numbers = dict.fromkeys(fields.split(), 1)
    for name in dir(endpoints):
        path = getattr(endpoints, name)
        if name.isupper() and isinstance(path, str):
            assert build_url(BASE, "a", path, role="student", **numbers).startswith(f"{BASE}/a/")


def test_query_values_are_encoded() -> None:
    url = with_query("https://h/a", username="å b&c=d#e/?", week=3)
    assert url == "https://h/a?username=%C3%A5%20b%26c%3Dd%23e%2F%3F&week=3"
