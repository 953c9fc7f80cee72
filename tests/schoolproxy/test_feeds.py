"""Creating, reading and deleting a calendar feed."""

import re
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django.fixtures import Settings

from accounts.models import Account
from accounts.services.suspension import suspend_account, unsuspend_account
from schoolproxy.models import CalendarFeed
from tests.accounts.stored_data import store_contents, tables
from tests.concurrency import at_once
from tests.conftest import Caller, signed_in
from tests.schoolproxy.feeds import ADDRESS, lessons, new_feed, notices, subscribed, titles
from tests.store_away import take_the_store_away
from upstream.simulator.server import Simulator


def test_an_account_has_no_feed_until_it_creates_one(elsa: Caller) -> None:
    nothing = {"url": None, "include": None, "name": None}
    assert elsa.get(ADDRESS).json() == {"success": True} | nothing


def test_the_address_is_shown_again_only_to_its_owner(elsa: Caller, zoe: Caller) -> None:
    made = elsa.post(ADDRESS)
    assert made.status_code == 201
    assert elsa.get(ADDRESS).json() == made.json()
    assert zoe.get(ADDRESS).json()["url"] is None
    phone = signed_in()
    assert phone.get(ADDRESS).json() == made.json()


def test_the_address_is_absolute(elsa: Caller, settings: Settings) -> None:
    assert elsa.post(ADDRESS).json()["url"].startswith("http://testserver/feeds/")
    settings.PUBLIC_URL = "https://school.example"
    assert elsa.get(ADDRESS).json()["url"].startswith("https://school.example/feeds/")


def test_its_token_has_at_least_160_bits(elsa: Caller) -> None:
    secrets = {new_feed(elsa).removeprefix("/feeds/").removesuffix(".ics") for _ in range(3)}
    assert len(secrets) == 3
    assert all(re.fullmatch(r"[\w-]{43}", secret) for secret in secrets)  # 43 * 6 bits


def test_it_has_the_same_lessons_as_the_owners_calendar(elsa: Caller) -> None:
    feed = subscribed(new_feed(elsa))
    assert lessons(feed) == lessons(elsa.get("/api/schedule.ics"))
    assert len(lessons(feed)) > 50
    assert notices(feed) == []


def test_shared_caches_and_search_engines_may_not_keep_it(elsa: Caller) -> None:
    feed = subscribed(new_feed(elsa))
    assert feed.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert feed.headers["Cache-Control"] == "private, no-cache"
    assert feed.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert feed.headers["Referrer-Policy"] == "no-referrer"
    assert not feed.cookies


def test_an_unchanged_feed_is_304(elsa: Caller) -> None:
    path = new_feed(elsa)
    etag = subscribed(path).headers["ETag"]
    again = subscribed(path, **{"If-None-Match": etag})
    assert (again.status_code, again.content) == (304, b"")
    assert Caller().http.head(path).headers["ETag"] == etag


def test_a_new_address_replaces_the_old_one(elsa: Caller) -> None:
    old = new_feed(elsa)
    new = new_feed(elsa)
    assert subscribed(old).status_code == 404
    assert subscribed(new).status_code == 200


def test_deleting_it_is_idempotent(elsa: Caller) -> None:
    path = new_feed(elsa)
    subscribed(path)
    for _ in range(2):
        answer = elsa.delete(ADDRESS)
        assert (answer.status_code, answer.json()) == (200, {"success": True})
    assert elsa.get(ADDRESS).json()["url"] is None
    assert subscribed(path).status_code == 404
    assert not CalendarFeed.objects.exists()


def test_nobody_can_delete_the_feed_of_another(elsa: Caller, zoe: Caller) -> None:
    path = new_feed(elsa)
    zoe.delete(ADDRESS)
    new_feed(zoe)
    assert subscribed(path).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_two_new_addresses_at_once_leave_one(elsa: Caller) -> None:
    paths = at_once([partial(new_feed, elsa.twin()) for _ in range(4)])
    # Who was overtaken may get the address of the last one.
    (left,) = {path for path in paths if subscribed(path).status_code == 200}
    assert elsa.get(ADDRESS).json()["url"].endswith(left)


def test_all_invalid_addresses_have_the_same_answer(elsa: Caller, zoe: Caller) -> None:
    path, revoked, suspended = new_feed(elsa), new_feed(zoe), new_feed(elsa)
    zoe.delete(ADDRESS)
    suspend_account(Account.objects.get(school="bjorkdalen").pk)
    guesses = [path, revoked, suspended, "/feeds/x.ics", "/feeds/../api.ics", f"{path[:-5]}.ics"]
    answers = [subscribed(each) for each in [*guesses, "/nothing"]]
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.content for answer in answers}) == 1
    assert answers[0].json()["code"] == "not_found"


def test_an_altered_token_is_404(elsa: Caller) -> None:
    path = new_feed(elsa)
    secret = path.removeprefix("/feeds/").removesuffix(".ics")
    flipped = secret[:-2] + ("a" if secret[-2] != "a" else "b") + secret[-1]
    for wrong in (
        flipped,
        secret.swapcase(),
        secret[:-1],
        f"{secret}a",
        "",
        "%00",
        "å",
        "a" * 5000,
    ):
        assert subscribed(f"/feeds/{wrong}.ics").status_code == 404
    assert subscribed(f"/feeds/{secret}").status_code == 404
    assert subscribed(path).status_code == 200


def test_the_stored_hash_is_not_a_token(elsa: Caller) -> None:
    new_feed(elsa)
    assert subscribed(f"/feeds/{CalendarFeed.objects.get().address_hash}.ics").status_code == 404


def test_it_works_again_when_the_account_is_unsuspended(elsa: Caller) -> None:
    path = new_feed(elsa)
    account = Account.objects.get().pk
    subscribed(path)
    suspend_account(account)
    assert subscribed(path).status_code == 404
    unsuspend_account(account)
    assert len(lessons(subscribed(path))) > 50


def test_the_token_and_the_lessons_are_never_stored_or_logged_in_plaintext(
    elsa: Caller, simulator: Simulator, caplog: pytest.LogCaptureFixture, capfd: Any
) -> None:
    caplog.set_level("DEBUG")
    path = new_feed(elsa)
    feed = subscribed(path)
    secret = path.removeprefix("/feeds/").removesuffix(".ics").encode()
    sinks = (
        tables() + store_contents() + caplog.text.encode() + "".join(capfd.readouterr()).encode()
    )
    assert secret not in sinks
    for title in {title.encode() for title in titles(feed) if len(title) > 5}:
        assert title not in tables() + store_contents()


def test_a_row_copied_to_another_account_is_rejected(elsa: Caller, zoe: Caller) -> None:
    subscribed(new_feed(elsa))
    path = new_feed(zoe)
    subscribed(path)
    hers = CalendarFeed.objects.filter(account__school="bjorkdalen")
    (copied,) = hers.values("weeks", "weeks_at", "history", "address")
    CalendarFeed.objects.filter(account__school="nyvang").update(**copied)
    assert not lessons(subscribed(path)) & lessons(elsa.get("/api/schedule.ics"))
    assert zoe.get(ADDRESS).status_code >= 400


def test_reads_are_limited_by_ip_address(elsa: Caller, settings: Settings) -> None:
    settings.LIMITS = {"feed_reads": "3/86400"}
    path = new_feed(elsa)
    statuses = [subscribed(each).status_code for each in (path, "/feeds/guess.ics", path, path)]
    assert statuses == [200, 404, 200, 429]
    answer = subscribed(path)
    assert (answer.json()["code"], int(answer.headers["Retry-After"]) > 0) == (
        "too_many_requests",
        True,
    )
    assert Caller(REMOTE_ADDR="10.1.2.3").get(path).status_code == 200


def test_the_limit_holds_without_the_store(elsa: Caller, settings: Settings) -> None:
    settings.LIMITS = {"feed_reads": "3/86400"}
    path = new_feed(elsa)
    take_the_store_away(settings)
    statuses = [subscribed(path).status_code for _ in range(5)]
    assert statuses == [200, 200, 200, 429, 429]


def test_a_read_takes_few_queries(elsa: Caller) -> None:
    path = new_feed(elsa)
    with CaptureQueriesContext(connection) as first:
        assert subscribed(path).status_code == 200
    with CaptureQueriesContext(connection) as second:
        assert subscribed(path).status_code == 200
    # The feed, the account's logins, the weeks to keep, and the account's countdowns.
    assert (len(first), len(second)) == (4, 2)


def test_creating_one_takes_two_queries(elsa: Caller) -> None:
    elsa.get("/api/schools")
    with CaptureQueriesContext(connection) as queries:
        new_feed(elsa)
    assert len([query for query in queries if "calendarfeed" in query["sql"]]) == 2
