"""The link of a note: creating it, reading the note, and how it ends."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from accounts.models import Account
from accounts.services.suspension import suspend_account, unsuspend_account
from notes.models import ShareLink
from notes.richtext.render_html import render_html
from tests.accounts.stored_data import store_contents, tables
from tests.conftest import Caller
from tests.notes.documents import RICH, doc, paragraph
from tests.notes.notes import PATH, added, changed, listed, opened, read, shared
from tests.store_away import take_the_store_away
from upstream.simulator.server import Simulator

BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8"


def page(token: str, **headers: str) -> Any:
    return Caller().get(f"/shared/{token}", **headers)


def test_the_owner_can_read_the_link_again(elsa: Caller) -> None:
    note = added(elsa, title="Biologi")
    answer = elsa.post(f"{PATH}/{note['id']}/share")
    assert answer.status_code == 201
    token, url = answer.json()["token"], answer.json()["url"]
    assert answer.json() == {"success": True, "token": token, "url": url}
    after = read(elsa, note)
    assert (after["shareToken"], after["shareUrl"], after["status"]) == (token, url, "published")
    assert listed(elsa) == [after] == [changed(elsa, note)]


def test_sharing_does_not_change_the_version(elsa: Caller) -> None:
    note = added(elsa)
    shared(elsa, note)
    after = read(elsa, note)
    assert (after["version"], after["updatedAt"]) == (note["version"], note["updatedAt"])
    assert changed(elsa, note, title="x", version=1)["version"] == 2


def test_the_address_is_absolute(elsa: Caller, settings: Settings) -> None:
    note = added(elsa)
    token = shared(elsa, note)
    assert read(elsa, note)["shareUrl"] == f"http://testserver/shared/{token}"
    settings.PUBLIC_URL = "https://school.example"
    assert read(elsa, note)["shareUrl"] == f"https://school.example/shared/{token}"


def test_the_token_has_256_random_bits(elsa: Caller) -> None:
    note = added(elsa)
    tokens = {shared(elsa, note) for _ in range(3)}
    assert len(tokens) == 3
    assert all(re.fullmatch(r"[\w-]{43}", token) for token in tokens)


def test_it_shows_the_note_and_nothing_about_its_owner(elsa: Caller) -> None:
    note = added(elsa, title="Biologi", content=RICH)
    answer = opened(shared(elsa, note))
    assert answer.json() == {
        "success": True,
        "note": {
            "title": "Biologi",
            "content": note["content"],
            "doc": RICH,
            "html": render_html(RICH),
            "updatedAt": note["updatedAt"],
        },
    }
    assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cache-Control"] == "no-store"
    assert not answer.cookies


def test_plain_text_is_shown_as_text(elsa: Caller) -> None:
    shown = opened(shared(elsa, added(elsa, content="<b>ett</b>\n\n# två"))).json()["note"]
    assert shown["content"] == "<b>ett</b>\n\n# två"
    assert (shown["doc"], shown["html"]) == (
        None,
        '<p dir="auto">&lt;b&gt;ett&lt;/b&gt;</p><p dir="auto"># två</p>',
    )


def test_it_shows_the_note_as_it_is_now(elsa: Caller) -> None:
    note = added(elsa, content="ett")
    token = shared(elsa, note)
    changed(elsa, note, title="Nytt", content=doc(paragraph("två")))
    shown = opened(token).json()["note"]
    assert (shown["title"], shown["html"]) == ("Nytt", '<p dir="auto">två</p>')


def test_a_new_link_ends_the_old_one(elsa: Caller) -> None:
    note = added(elsa)
    old, new = shared(elsa, note), shared(elsa, note)
    assert (opened(old).status_code, opened(new).status_code) == (404, 200)


def test_revoking_ends_it_and_always_succeeds(elsa: Caller) -> None:
    note = added(elsa)
    token = shared(elsa, note)
    for _ in range(2):
        answer = elsa.delete(f"{PATH}/{note['id']}/share")
        assert (answer.status_code, answer.json()) == (200, {"success": True})
    assert opened(token).status_code == page(token).status_code == 404
    after = read(elsa, note)
    assert (after["shareToken"], after["shareUrl"], after["status"]) == (None, None, "draft")


def test_archiving_ends_it_for_good(elsa: Caller) -> None:
    note = added(elsa)
    token = shared(elsa, note)
    assert changed(elsa, note, status="archived")["shareToken"] is None
    assert changed(elsa, note, status="published")["shareToken"] is None
    assert opened(token).status_code == 404
    assert not ShareLink.objects.exists()


def test_saving_the_note_as_a_draft_does_not_end_it(elsa: Caller) -> None:
    """Editors save the status that they last knew, so that must not end a link."""
    note = added(elsa)
    token = shared(elsa, note)
    assert changed(elsa, note, status="draft")["shareToken"] == token
    assert opened(token).status_code == 200


def test_deleting_the_note_or_the_account_ends_it(elsa: Caller, zoe: Caller) -> None:
    hers, note = shared(zoe, added(zoe)), added(elsa)
    token = shared(elsa, note)
    elsa.delete(f"{PATH}/{note['id']}")
    Account.objects.get(school="nyvang").delete()
    assert (opened(token).status_code, opened(hers).status_code) == (404, 404)
    assert not ShareLink.objects.exists()


def test_it_does_not_work_while_the_account_is_suspended(elsa: Caller) -> None:
    token = shared(elsa, added(elsa))
    account = Account.objects.get().pk
    suspend_account(account)
    assert opened(token).status_code == page(token).status_code == 404
    unsuspend_account(account)
    assert opened(token).status_code == page(token).status_code == 200


def test_all_tokens_that_do_not_work_get_the_same_answer(elsa: Caller, zoe: Caller) -> None:
    revoked, archived = added(elsa), added(elsa)
    dead = [shared(elsa, revoked), shared(elsa, archived), shared(zoe, added(zoe))]
    elsa.delete(f"{PATH}/{revoked['id']}/share")
    changed(elsa, archived, status="archived")
    suspend_account(Account.objects.get(school="nyvang").pk)
    dead += ["x", "a" * 5_000, "%00", "å", "..", "<script>", ShareLink.objects.get().address_hash]
    answers = [opened(each) for each in dead] + [page(each) for each in dead]
    assert {answer.status_code for answer in answers} == {404}
    assert {answer.content for answer in answers} == {Caller().get("/api/nothing").content}
    pages = [page(each, accept=BROWSER) for each in dead]
    assert {answer.status_code for answer in pages} == {404}
    assert len({answer.content for answer in pages}) == 1


def test_the_token_is_neither_stored_nor_logged_in_plain_text(
    elsa: Caller, simulator: Simulator, caplog: pytest.LogCaptureFixture, capfd: Any
) -> None:
    caplog.set_level("DEBUG")
    token = shared(elsa, added(elsa, content="Hemligt innehåll"))
    opened(token)
    page(token)
    page(f"{token}x", accept=BROWSER)
    logged = caplog.text + "".join(capfd.readouterr())
    assert token.encode() not in tables() + store_contents()
    assert token not in logged
    assert "Hemligt" not in logged


def test_a_row_copied_to_another_note_is_not_shown_there(elsa: Caller, zoe: Caller) -> None:
    hers = added(zoe)
    shared(elsa, added(elsa))
    shared(zoe, hers)
    stored = ShareLink.objects.filter(note__account__school="bjorkdalen").values("address").get()
    ShareLink.objects.filter(note__account__school="nyvang").update(**stored)
    assert read(zoe, hers)["shareToken"] is None


def test_a_lost_key_hides_the_link_and_not_the_notes(elsa: Caller, settings: Settings) -> None:
    note = added(elsa, title="Biologi")
    token = shared(elsa, note)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE notes_sharelink SET address = 'unreadable'")
    (stored,) = listed(elsa)
    assert (stored["title"], stored["shareToken"], stored["shareUrl"]) == ("Biologi", None, None)
    assert opened(token).status_code == 200
    assert opened(shared(elsa, note)).status_code == 200


def test_reads_are_limited_by_address(elsa: Caller, settings: Settings) -> None:
    settings.LIMITS = {"share_reads": "3/86400"}
    token = shared(elsa, added(elsa))
    statuses = [
        opened(token).status_code, page(token).status_code, opened("guess").status_code,
        opened(token).status_code, page(token).status_code,
    ]  # fmt: skip
    assert statuses == [200, 200, 404, 429, 429]
    assert opened(token).json()["code"] == "too_many_requests"
    answer = page(token, accept=BROWSER)
    assert (answer.status_code, int(answer.headers["Retry-After"]) > 0) == (429, True)
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert Caller(REMOTE_ADDR="10.1.2.3").get(f"/shared/{token}").status_code == 200


def test_the_limit_holds_without_redis(elsa: Caller, settings: Settings) -> None:
    settings.LIMITS = {"share_reads": "2/86400"}
    token = shared(elsa, added(elsa))
    take_the_store_away(settings)
    assert [opened(token).status_code for _ in range(3)] == [200, 200, 429]


def test_a_read_needs_one_query(
    elsa: Caller, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    note = added(elsa, content=RICH)
    token = shared(elsa, note)
    with django_assert_num_queries(3):  # the first since a change marks the link
        opened(token)
    with django_assert_num_queries(1):
        opened(token)
    with django_assert_num_queries(1):
        page(token)
    with CaptureQueriesContext(connection) as queries:
        shared(elsa, note)
    # The note, the old link and what it showed, the new one, the status; savepoints.
    assert len(queries) <= 12, [query["sql"][:200] for query in queries]
