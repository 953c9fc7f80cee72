"""The school list, which is read from two lists that may each fail."""

import json
from typing import Any

import pytest

from tests.upstream.raw_server import RawServer, http
from upstream.calls.schools import fetch_schools
from upstream.client import UpstreamClient
from upstream.errors import UpstreamFailing, UpstreamInvalid, UpstreamNotFound
from upstream.records import School

NAMES = "/internal/rest-api/login/schoollist"
METHODS = "/rest/app/schoollist/prod"


def fetch(
    client: UpstreamClient, server: RawServer, names: Any = (), methods: Any = ()
) -> dict[str, School]:
    """The schools by slug, from rows or complete responses."""
    answers = {
        path: rows if isinstance(rows, bytes) else http(json.dumps(rows).encode())
        for path, rows in ((NAMES, names), (METHODS, methods))
    }
    server.script = lambda received: [answers[received.target]]
    schools = fetch_schools(client)
    assert len({school.slug for school in schools}) == len(schools)
    return {school.slug: school for school in schools}


def named(name: object, slug: str = "a", **more: Any) -> dict[str, Any]:
    return {"name": name, "evaUrl": f"https://sms.example/{slug}/eva"} | more


def reachable(slug: str, methods: Any, name: str = "A") -> dict[str, Any]:
    return {"name": name, "url": f"https://sms.example/{slug}/", "studentLoginMethods": methods}


def test_both_lists_make_one_school(client: UpstreamClient, server: RawServer) -> None:
    found = fetch(client, server, [named("A", orgId=41)], [reachable("a", "0,4")])
    assert found == {"a": School("a", "A", org_ids=(41,), password_login=True)}


@pytest.mark.parametrize(
    ("methods", "password"),
    [("4", True), ("0, 4 ,11", True), ("3", False), ("14,40", False), ("", None), (" , ", None),
     (None, None), (4, None)],
)  # fmt: skip
def test_method_four_is_the_password(
    client: UpstreamClient, server: RawServer, methods: object, password: bool | None
) -> None:
    found = fetch(client, server, [named("A")], [reachable("a", methods)])
    assert found["a"].password_login is password


def test_names_are_trimmed_and_their_whitespace_collapsed(
    client: UpstreamClient, server: RawServer
) -> None:
    found = fetch(client, server, [named("  Nyvångs  skola\u00a0 &  fritids ")])
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
    client: UpstreamClient, server: RawServer, names: list[str], name: str
) -> None:
    assert fetch(client, server, [named(n) for n in names])["a"].name == name
    assert fetch(client, server, [named(n) for n in reversed(names)])["a"].name == name


def test_a_slug_has_the_numbers_of_all_its_rows(client: UpstreamClient, server: RawServer) -> None:
    same = [named("A", orgId=5), named("B", orgId="5"), named("C")]
    assert fetch(client, server, same)["a"].org_ids == (5,)
    assert fetch(client, server, [named("D", orgId=6), *same])["a"].org_ids == (5, 6)
    assert fetch(client, server, [named("A"), named("B", orgId="x")])["a"].org_ids == ()


def test_password_login_is_allowed_if_one_row_allows_it(
    client: UpstreamClient, server: RawServer
) -> None:
    rows = [reachable("a", "3"), reachable("a", ""), reachable("a", "4")]
    assert fetch(client, server, [], rows)["a"].password_login is True
    assert fetch(client, server, [], rows[:2])["a"].password_login is False


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
    client: UpstreamClient, server: RawServer, address: object, slug: str | None
) -> None:
    found = fetch(client, server, [{"name": "A", "evaUrl": address}, named("Other", "other")])
    assert sorted(found) == sorted({"other", slug or "other"})


def test_a_list_without_a_school_is_invalid(client: UpstreamClient, server: RawServer) -> None:
    with pytest.raises(UpstreamInvalid):
        fetch(client, server, [{"name": "A", "renamed": "https://sms.example/a/"}])


@pytest.mark.parametrize("row", [7, None, [], {}, named("  "), named("x" * 201), named("a\x00b"),
                                 {"evaUrl": "/a/"}, named(7)])  # fmt: skip
def test_an_invalid_row_is_left_out(client: UpstreamClient, server: RawServer, row: object) -> None:
    assert list(fetch(client, server, [row, named("B", "b")])) == ["b"]


BROKEN = [
    http(status=500),
    http(status=404),
    http(b"", status=200),
    http(b"{}"),
    http(b"<html>", kind="text/html"),
    http(status=302, Location="/jsp/Login.jsp"),
]


@pytest.mark.parametrize("broken", BROKEN)
def test_one_list_is_enough(client: UpstreamClient, server: RawServer, broken: bytes) -> None:
    assert list(fetch(client, server, [named("A")], broken)) == ["a"]
    assert list(fetch(client, server, broken, [reachable("b", "4")])) == ["b"]


@pytest.mark.parametrize(
    ("broken", "error"),
    list(zip(BROKEN, [UpstreamFailing, UpstreamNotFound] + [UpstreamInvalid] * 4, strict=True)),
)
def test_without_both_lists_an_error_is_raised(
    client: UpstreamClient, server: RawServer, broken: bytes, error: type[Exception]
) -> None:
    with pytest.raises(error):
        fetch(client, server, broken, broken)


def test_three_thousand_schools_are_read(client: UpstreamClient, server: RawServer) -> None:
    rows = [named(f"Skola nummer {number}", f"s{number % 400}") for number in range(3400)]
    assert len(fetch(client, server, rows)) == 400
