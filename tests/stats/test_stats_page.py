"""GET /stats."""

import re
from collections.abc import Iterator

import pytest
import time_machine
from bs4 import BeautifulSoup
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from stats.counters import count, flush

pytestmark = pytest.mark.django_db


def page(client: Client) -> BeautifulSoup:
    answer = client.get("/stats")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    return BeautifulSoup(answer.content, "lxml")


@pytest.fixture
def used() -> Iterator[None]:
    """Counts of one hour; time stands still after it."""
    with time_machine.travel("2026-11-20T08:00:00Z", tick=False):
        for account in range(12):
            count("login", account=account, school="nyvang", times=100)
            count("message", account=account)
        count("login", account=1, school="liten")
        count("login", account=2, school="minst")
        count("api_call", times=2_000)
        flush()
        yield


def test_a_new_service_says_so(client: Client) -> None:
    text = page(client).get_text()
    assert "Nothing has been counted yet" in text
    assert "svg" not in str(page(client))


def test_it_shows_totals_and_charts(client: Client, used: None) -> None:
    seen = page(client)
    names, numbers = seen.select("dl dt"), seen.select("dl dd")
    totals = {name.get_text(): one.get_text() for name, one in zip(names, numbers, strict=True)}
    assert len(totals) == 14
    assert (totals["sign-ins"], totals["requests"], totals["messages sent"]) == (
        "1,202",
        "2,000",
        "12",
    )
    assert len(seen.select("figure svg")) == 5
    schools = [row.get_text(" ", strip=True) for row in seen.select("#schools tr")]
    assert schools == ["nyvang 1,200", "other 2"]
    assert "liten" not in seen.get_text()


def test_every_drawing_has_a_name_a_description_and_a_table(client: Client, used: None) -> None:
    seen = page(client)
    for drawing in seen.select("figure svg"):
        named = str(drawing["aria-labelledby"]).split()
        assert all(part.get_text(strip=True) for name in named for part in seen.select(f"#{name}"))
        assert len(named) == 2
    assert len(seen.select("figure")) == len(seen.select("figure details table tbody"))
    ids = [str(part["id"]) for part in seen.select("[id]")]
    assert len(ids) == len(set(ids))


def test_totals_are_shown_without_any_bars(client: Client) -> None:
    count("login", account=1, school="nyvang")
    flush()
    seen = page(client)
    assert seen.select("dl")
    assert [part.get_text() for part in seen.select("figure .nothing")] == [
        "Not enough data yet."
    ] * 5
    assert "nyvang" not in seen.get_text()


def test_it_needs_no_script_and_allows_none(client: Client, used: None) -> None:
    answer = client.get("/stats")
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src 'self';")
    assert "unsafe" not in policy
    html = answer.content.decode()
    assert not re.search(r"<script|<style|\sstyle=|\son\w+=|https?://", html)


def test_it_may_be_cached_publicly(client: Client) -> None:
    answer = client.get("/stats")
    assert answer.headers["Cache-Control"] == "public, max-age=30"
    assert not answer.cookies


def test_it_shows_the_same_publication_as_the_api(
    client: Client, used: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client.get("/api/stats")
    with django_assert_num_queries(1):
        client.get("/stats")


def test_the_front_page_links_to_it(client: Client, settings: Settings) -> None:
    settings.WEB_APP = False
    assert 'href="/stats"' in client.get("/").content.decode()
