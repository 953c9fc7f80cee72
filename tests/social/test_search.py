"""/api/search: one's own notes, and the messages that one may read now."""

import os
from typing import Any
from urllib.parse import quote

import pytest

from accounts.name_comparison import SEARCHED_LENGTH
from notes.models import Note
from social.models import Message
from social.services.search import excerpt
from tests.conftest import Caller
from tests.notes.notes import added
from tests.social.aes_group import seal
from tests.social_actions import answer_invite, dm_of, new_group, say

PATH = "/api/search"


def search(caller: Caller, text: str, **query: Any) -> dict[str, Any]:
    rest = "".join(f"&{name}={quote(str(value))}" for name, value in query.items())
    answer = caller.get(f"{PATH}?q={quote(text)}{rest}")
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


def found(caller: Caller, text: str, **query: Any) -> list[str]:
    """The excerpts that a search finds, in order."""
    return [result["excerpt"] for result in search(caller, text, **query)["results"]]


def test_a_note_and_a_message_are_found_with_where_they_are(elsa: Caller, bo: Caller) -> None:
    paragraph = {"type": "paragraph", "content": [{"type": "text", "text": "Cellens kärna"}]}
    note = added(elsa, title="Biologi", content={"type": "doc", "content": [paragraph]})
    dm = dm_of(elsa, "bo.ek")
    message = say(bo, dm, "Läste du om CELLEN?")
    results = search(elsa, "cell")["results"]
    assert [result.pop("at") > 0 for result in results] == [True, True]
    assert results == [
        {
            "kind": "message",
            "id": message["id"],
            "conversationId": dm,
            "seq": 1,
            "title": "Bo Ek",
            "excerpt": "Läste du om CELLEN?",
        },
        {"kind": "note", "id": note["id"], "title": "Biologi", "excerpt": "Cellens kärna"},
    ]
    assert found(elsa, "cell", **{"in": "notes"}) == ["Cellens kärna"]
    assert found(elsa, "cell", **{"in": "messages"}) == ["Läste du om CELLEN?"]


def test_words_are_parts_in_any_order_case_and_accents(elsa: Caller) -> None:
    added(elsa, title="x", content="Vi badade i Älven.")
    for text in ("ALVEN", "bad älv", "älv  bad", "lv", "b ad"):
        assert len(found(elsa, text)) == 1, text
    for text in ("%%", "a_", "a b", "simma bad"):
        assert found(elsa, text) == [], text


def test_only_what_one_may_read_now_is_found(elsa: Caller, bo: Caller) -> None:
    added(bo, title="Hemligt", content="hemlig anteckning")
    group = new_group(elsa, "bo.ek")
    say(elsa, group, "hemlig ett")
    assert found(bo, "hemlig", **{"in": "messages"}) == []  # only invited
    answer_invite(bo)
    assert found(bo, "hemlig", **{"in": "messages"}) == []  # from before he joined
    second = say(elsa, group, "hemlig två")
    third = say(elsa, group, "hemlig tre")
    assert found(bo, "hemlig") == ["hemlig tre", "hemlig två", "hemlig anteckning"]
    path = f"/api/conversations/{group}"
    elsa.delete(f"{path}/{second['id']}")
    elsa.patch(f"{path}/{third['id']}", {"action": "edit", "content": "öppen tre"})
    assert found(bo, "hemlig", **{"in": "messages"}) == []
    assert found(bo, "oppen") == ["öppen tre"]
    assert Message.objects.get(seq=2).search_key == ""
    Message.objects.filter(seq=3).update(hidden_at=Message.objects.get(seq=3).created_at)
    assert found(bo, "oppen") == []  # hidden by staff
    Message.objects.filter(seq=3).update(hidden_at=None)
    assert bo.patch(path, {"action": "leave"}).status_code == 200
    assert found(bo, "oppen") == []


def test_the_server_searches_no_encrypted_text(elsa: Caller, bo: Caller) -> None:
    body = {"type": "group", "groupName": "Hemligt", "members": ["bo.ek"], "encrypted": True}
    group = elsa.post("/api/conversations", body).json()["conversation"]["id"]
    sealed = say(elsa, group, seal(os.urandom(32), "hemlig"))
    assert Message.objects.get().search_key == ""
    for text in ("hemlig", sealed["content"][:8]):
        assert found(elsa, text) == []


def test_pages_hold_everything_once_across_both_kinds(elsa: Caller, bo: Caller) -> None:
    dm = dm_of(elsa, "bo.ek")
    for number in range(3):
        say(elsa, dm, f"ord {number}")
        added(elsa, title="x", content=f"ordet {number}")
    Message.objects.update(created_at=Message.objects.get(seq=1).created_at)
    seen: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        page = search(elsa, "ord", limit=2, cursor=cursor)
        seen += [result["id"] for result in page["results"]]
        cursor = page["next"]
    assert len(seen) == len(set(seen)) == 6


@pytest.mark.parametrize(
    "wrong", ["q=x", "q=ord&cursor=x", "q=ord&limit=51", "q=ord&in=mail", "q=ord&in="]
)
def test_a_wrong_query_is_400(elsa: Caller, wrong: str) -> None:
    assert elsa.get(f"{PATH}?{wrong}").status_code == 400


def test_a_long_note_is_searched_by_its_beginning_and_shows_that(elsa: Caller) -> None:
    note = added(elsa, title="Lång", content="början " + "ﷺ" * 120_000 + " slutet")
    key = str(Note.objects.get(pk=note["id"]).search_key)
    assert len(key) <= 2 * SEARCHED_LENGTH
    (shown,) = found(elsa, "borjan")
    assert shown.startswith("början")
    assert found(elsa, "slutet") == []


def test_an_excerpt_begins_shortly_before_the_word() -> None:
    text = "lång " * 3_000 + "Målet är   Ängen. " + "kort " * 100
    shown = excerpt(text, ["angen"])
    assert shown[0] == shown[-1] == "…"
    assert "Målet är Ängen." in shown
    assert len(shown) == 162
    assert excerpt("Kort.", ["saknas"]) == "Kort."
