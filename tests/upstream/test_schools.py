"""The school list, which is read from two lists that may each fail."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.upstream.raw_server import RawServer, http
from upstream.calls.schools import fetch_schools
from upstream.client import UpstreamClient
from upstream.errors import UpstreamFailing, UpstreamInvalid, UpstreamNotFound
from upstream.records import School

NAMES = "/internal/rest-api/login/schoollist"
METHODS = "/rest/app/schoollist/prod"
Fetch = Callable[..., dict[str, School]]


@pytest.fixture
def fetch(client: UpstreamClient, server: RawServer) -> Fetch:
    """The schools by slug, from rows or complete responses of both lists."""

    def fetch(names: Any = (), methods: Any = ()) -> dict[str, School]:
        answers = {
            path: rows if isinstance(rows, bytes) else http(json.dumps(rows).encode())
            for path, rows in ((NAMES, names), (METHODS, methods))
        }
        server.script = lambda received: [answers[received.target]]
        schools = fetch_schools(client)
        assert len({school.slug for school in schools}) == len(schools)
        return {school.slug: school for school in schools}

    return fetch


def named(name: object, slug: str = "a", **more: Any) -> dict[str, Any]:
    return {"name": name, "evaUrl": f"https://sms.example/{slug}/eva"} | more


def reachable(slug: str, methods: Any, name: str = "A") -> dict[str, Any]:
    return {"name": name, "url": f"https://sms.example/{slug}/", "studentLoginMethods": methods}


def test_both_lists_make_one_school(fetch: Fetch) -> None:
    found = fetch([named("A", orgId=41)], [reachable("a", "0,4")])
    assert found == {"a": School("a", "A", (41,), password_login=True, student_methods=(0, 4))}


@pytest.mark.parametrize(
    ("methods", "password"),
    [("4", True), ("0, 4 ,11", True), ("3", False), ("14,40", False), ("", None), (" , ", None),
     (None, None), (4, None)],
)  # fmt: skip
def test_method_four_is_the_password(fetch: Fetch, methods: object, password: bool | None) -> None:
    found = fetch([named("A")], [reachable("a", methods)])
    assert found["a"].password_login is password


def test_names_are_trimmed_and_their_whitespace_collapsed(fetch: Fetch) -> None:
    found = fetch([named("  Nyvångs  skola\u00a0 &  fritids ")])
    assert found["a"].name == "Nyvångs skola & fritids"


@pytest.mark.parametrize(
    ("names", "name"),
    [
        (["Björkdals kommun - Norra", "Björkdals kommun - Södra"], "Björkdals kommun"),
        (["Björkdals kommun - Norra", "Björkdals kommun"], "Björkdals kommun"),
        (["Norra skolan", "Östra", "Södra skolan"], "Östra"),
        (["Bb", "Aa"], "Aa"),
        (["Norra - A"], "Norra - A"),
        (["Norra - A", "Norra - A"], "Norra - A"),
        (["X - A", "Y - B"], "X - A"),
    ],
)
def test_rows_of_one_slug_are_combined_under_one_name(
    fetch: Fetch, names: list[str], name: str
) -> None:
    assert fetch([named(n) for n in names])["a"].name == name
    assert fetch([named(n) for n in reversed(names)])["a"].name == name


def test_a_slug_has_the_numbers_of_all_its_rows(fetch: Fetch) -> None:
    same = [named("A", orgId=5), named("B", orgId="5"), named("C")]
    assert fetch(same)["a"].org_ids == (5,)
    assert fetch([named("D", orgId=6), *same])["a"].org_ids == (5, 6)
    assert fetch([named("A"), named("B", orgId="x")])["a"].org_ids == ()


def test_password_login_is_allowed_if_one_row_allows_it(fetch: Fetch) -> None:
    rows = [reachable("a", "3"), reachable("a", ""), reachable("a", "4")]
    assert fetch([], rows)["a"].password_login is True
    assert fetch([], rows[:2])["a"].password_login is False


@pytest.mark.parametrize(
    ("address", "slug"),
    [
        ("https://sms.example/a/eva", "a"),
        ("https://another.example/a", "a"),
        ("/a/eva", "a"),
        (" https://sms.example/a/ ", "a"),
        ("https://sms.example/", None),
        ("https://sms.example/A/eva", None),
        ("https://sms.example/../a", None),
        ("https://sms.example/a%2fb/", None),
        ("https://[broken/a", None),
        ("", None),
        (None, None),
        (7, None),
    ],
)
def test_the_slug_is_the_first_path_segment_of_any_host(
    fetch: Fetch, address: object, slug: str | None
) -> None:
    found = fetch([{"name": "A", "evaUrl": address}, named("Other", "other")])
    assert sorted(found) == sorted({"other", slug or "other"})


def test_a_list_without_a_school_is_invalid(fetch: Fetch) -> None:
    with pytest.raises(UpstreamInvalid):
        fetch([{"name": "A", "renamed": "https://sms.example/a/"}])


@pytest.mark.parametrize("row", [7, None, [], {}, named("  "), named("x" * 201), named("a\x00b"),
                                 {"evaUrl": "/a/"}, named(7)])  # fmt: skip
def test_an_invalid_row_is_left_out(fetch: Fetch, row: object) -> None:
    assert list(fetch([row, named("B", "b")])) == ["b"]


BROKEN = [
    http(status=500),
    http(status=404),
    http(b"", status=200),
    http(b"{}"),
    http(b"<html>", kind="text/html"),
    http(status=302, Location="/jsp/Login.jsp"),
]


@pytest.mark.parametrize("broken", BROKEN)
def test_one_list_is_enough(fetch: Fetch, broken: bytes) -> None:
    assert list(fetch([named("A")], broken)) == ["a"]
    assert list(fetch(broken, [reachable("b", "4")])) == ["b"]


@pytest.mark.parametrize(
    ("broken", "error"),
    list(zip(BROKEN, [UpstreamFailing, UpstreamNotFound] + [UpstreamInvalid] * 4, strict=True)),
)
def test_without_both_lists_an_error_is_raised(
    fetch: Fetch, broken: bytes, error: type[Exception]
) -> None:
    with pytest.raises(error):
        fetch(broken, broken)


def test_three_thousand_schools_are_read(fetch: Fetch) -> None:
    rows = [named(f"Skola nummer {number}", f"s{number % 400}") for number in range(3400)]
    assert len(fetch(rows)) == 400
