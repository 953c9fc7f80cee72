"""/api/notes: add, read, change and remove notes."""

import json
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from accounts.models import Account
from notes.limits import MAX_NOTES
from notes.models import Note
from tests.conftest import Caller
from tests.notes.documents import RICH, doc, paragraph
from tests.notes.notes import PATH, added, changed, listed, read
from upstream.simulator.server import Simulator

DOCUMENT = doc(paragraph("Läs om fotosyntesen."))


def compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def test_a_new_note_has_every_field(elsa: Caller) -> None:
    note = added(elsa, title="Biologi", content=DOCUMENT)
    assert len(note.pop("id")) == 32
    assert note.pop("createdAt") == note.pop("updatedAt") > 1_700_000_000_000
    assert note == {
        "title": "Biologi",
        "content": compact(DOCUMENT),
        "doc": DOCUMENT,
        "excerpt": "Läs om fotosyntesen.",
        "status": "draft",
        "shareToken": None,
        "shareUrl": None,
        "version": 1,
    }


def test_every_field_is_optional(elsa: Caller) -> None:
    note = added(elsa)
    assert (note["title"], note["content"], note["doc"], note["excerpt"]) == (
        "Untitled",
        "",
        None,
        "",
    )


def test_a_blank_title_becomes_the_default(elsa: Caller) -> None:
    assert [added(elsa, title=title)["title"] for title in ("", "  \n")] == ["Untitled"] * 2


def test_a_title_may_have_200_characters(elsa: Caller) -> None:
    assert added(elsa, title="å" * 200)["title"] == "å" * 200


def test_any_other_string_is_plain_text_and_comes_back_as_it_was(elsa: Caller) -> None:
    for text in (
        "Handla mjölk\n\n  och **bröd** ", "<b>inte HTML</b>", "5", "null", "[1]", '{"a": 1}', "{",
        '{"type": "paragraph"}', '{"type":"doc"', '"{}"', "\u2028 🧑‍🔬",
    ):  # fmt: skip
        note = added(elsa, content=text)
        assert (note["content"], note["doc"]) == (text, None)
        assert read(elsa, note) == note


def test_a_string_that_is_a_document_comes_back_as_the_same_string(elsa: Caller) -> None:
    for indent in (None, 2):
        text = f" {json.dumps(DOCUMENT, indent=indent)}\n"
        note = added(elsa, content=text)
        assert (note["content"], note["doc"]) == (text, DOCUMENT)
        assert read(elsa, note) == note


def test_an_object_comes_back_as_its_compact_json(elsa: Caller) -> None:
    note = added(elsa, content=RICH)
    assert (note["content"], note["doc"]) == (compact(RICH), RICH)


def test_an_unknown_attribute_is_not_in_the_validated_document(elsa: Caller) -> None:
    sent = doc({"type": "paragraph", "attrs": {"id": "x", "textAlign": "left"}})
    note = added(elsa, content=sent)
    assert note["content"] == compact(sent)
    assert note["doc"] == doc({"type": "paragraph", "attrs": {"textAlign": "left"}})


@pytest.mark.parametrize("method", ["put", "patch"])
def test_a_change_keeps_what_it_does_not_name(elsa: Caller, method: str) -> None:
    note = added(elsa, title="Biologi", content=DOCUMENT, status="published")
    answer = getattr(elsa, method)(f"{PATH}/{note['id']}", {"title": "Kemi", "unknown": 1})
    after = answer.json()["note"]
    assert after == note | {"title": "Kemi", "version": 2, "updatedAt": after["updatedAt"]}
    assert after["updatedAt"] >= note["updatedAt"]
    assert read(elsa, note) == after


def test_plain_text_can_replace_a_document_and_back(elsa: Caller) -> None:
    note = changed(elsa, added(elsa, content=DOCUMENT), content="bara text")
    assert (note["content"], note["doc"], note["excerpt"]) == ("bara text", None, "bara text")
    assert changed(elsa, note, content=DOCUMENT)["doc"] == DOCUMENT


def test_a_change_of_nothing_changes_nothing(elsa: Caller) -> None:
    note = added(elsa)
    assert changed(elsa, note) == note


def test_a_stale_version_is_409_with_the_stored_note(elsa: Caller) -> None:
    note = added(elsa, content="ett")
    stored = changed(elsa, note, content="två", version=1)
    for version in (1, 3):
        body = {"content": "tre", "version": version}
        answer = elsa.patch(f"{PATH}/{note['id']}", body)
        assert (answer.status_code, answer.json()["code"]) == (409, "stale_version")
    assert answer.json()["note"] == stored == read(elsa, note)
    assert changed(elsa, note, content="tre", version=stored["version"])["content"] == "tre"


def test_patch_and_delete_accept_the_id_in_the_query(elsa: Caller) -> None:
    note = added(elsa, title="ett")
    answer = elsa.patch(f"{PATH}?id={note['id']}", {"title": "två", "version": 1})
    assert (answer.status_code, answer.json()["note"]["title"]) == (200, "två")
    assert elsa.delete(f"{PATH}?id={note['id']}").json() == {"success": True}
    assert listed(elsa) == []


def test_removing_it_twice_is_404(elsa: Caller) -> None:
    path = f"{PATH}/{added(elsa)['id']}"
    assert elsa.delete(path).json() == {"success": True}
    assert [elsa.delete(path).status_code, elsa.get(path).status_code] == [404, 404]


def test_the_note_of_another_account_is_404(elsa: Caller, zoe: Caller) -> None:
    note = added(elsa, title="Hemligt")
    for note_id in (note["id"], "0" * 32):
        for answer in (
            zoe.get(f"{PATH}/{note_id}"),
            zoe.put(f"{PATH}/{note_id}", {"title": "x"}),
            zoe.patch(f"{PATH}/{note_id}", {"title": "x", "version": 9}),
            zoe.patch(f"{PATH}?id={note_id}", {"title": "x"}),
            zoe.delete(f"{PATH}?id={note_id}"),
            zoe.delete(f"{PATH}/{note_id}"),
            zoe.post(f"{PATH}/{note_id}/share"),
            zoe.delete(f"{PATH}/{note_id}/share"),
        ):
            assert answer.status_code == 404
            assert answer.content == zoe.get("/api/nothing").content
    assert listed(zoe) == []
    assert read(elsa, note) == note


def test_there_are_at_most_two_thousand(elsa: Caller, zoe: Caller) -> None:
    account = Account.objects.get(school="bjorkdalen")
    now = timezone.now()
    Note.objects.bulk_create(
        [Note(account=account, title="x", created_at=now, updated_at=now)
         for _ in range(MAX_NOTES - 1)]
    )  # fmt: skip
    last = added(elsa)
    answer = elsa.post(PATH, {})
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_kept")
    assert zoe.post(PATH, {}).status_code == 201
    elsa.delete(f"{PATH}/{last['id']}")
    assert elsa.post(PATH, {}).status_code == 201


def test_all_notes_together_have_a_size_limit(
    elsa: Caller, zoe: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("notes.services.notes.MAX_NOTES_BYTES", 10_000)
    note = added(elsa, content="å" * 2_000)
    added(elsa, content="a" * 5_000)
    for answer in (
        elsa.post(PATH, {"content": "a" * 1_500}),
        elsa.patch(f"{PATH}/{note['id']}", {"content": "å" * 3_000}),
        elsa.put(f"{PATH}/{note['id']}", {"content": "å" * 3_000}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (409, "quota_exceeded")
    assert read(elsa, note)["content"] == "å" * 2_000
    assert elsa.patch(f"{PATH}/{note['id']}", {"status": "published"}).status_code == 200
    # What is too large already can be made smaller, and other people have room of their own.
    monkeypatch.setattr("notes.services.notes.MAX_NOTES_BYTES", 100)
    assert elsa.patch(f"{PATH}/{note['id']}", {"content": "å"}).status_code == 200
    assert zoe.post(PATH, {"content": "a" * 50}).status_code == 201


def test_each_request_needs_few_queries(
    elsa: Caller, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    note = added(elsa)
    with django_assert_num_queries(1):
        read(elsa, note)
    with django_assert_num_queries(5):  # the lock on the account, a count, between savepoints
        added(elsa)
    with django_assert_num_queries(5):  # the note, its link, the change, between savepoints
        changed(elsa, note, title="x")


def test_notes_work_while_the_school_is_unavailable(
    elsa: Caller, simulator: Simulator, settings: Settings
) -> None:
    settings.SESSION_CHECK_SECONDS = 0
    note = added(elsa, title="ett")
    simulator.faults.set("session", "503")
    assert changed(elsa, note, title="två")["title"] == "två"
    assert listed(elsa)[0]["title"] == "två"
