"""Cards in messages: built by the server, of the sender's own things."""

from typing import Any

import pytest

from social.models import Conversation, Message
from tests.conftest import Caller
from tests.social.friend_requests import block, code_of
from tests.social.message_requests import changed, message_path, one, send, sent
from upstream.simulator.server import Simulator

# An assignment of the class of Elsa and Bo, and one of a class that is not theirs.
OWN, FOREIGN = "41205830", "99905830"


def note_of(caller: Caller) -> dict[str, Any]:
    """The card request for a new note."""
    note = caller.post("/api/notes", {"title": "Bergarter", "content": "Kalksten"}).json()["note"]
    return {"type": "note", "noteId": note["id"]}


def test_a_note_is_shown_as_it_was(elsa: Caller, bo: Caller, dm: Conversation) -> None:
    asked = note_of(elsa)
    forged = asked | {"title": "Annat", "preview": "Annat"}
    message = sent(elsa, dm, "Se här", shareCard=forged)
    card = message["shareCard"]
    assert card.pop("sharedAt") > 0
    texts = {"title": "Bergarter", "preview": "Kalksten", "fullContent": "Kalksten"}
    assert card == asked | texts | {"status": "draft"}
    elsa.patch(f"/api/notes/{asked['noteId']}", {"title": "Nytt"})
    assert one(bo, dm, message)["shareCard"]["title"] == "Bergarter"


def test_the_card_of_a_note_has_its_text(elsa: Caller, dm: Conversation) -> None:
    paragraphs = [
        {"type": "paragraph", "content": [{"type": "text", "text": text}]}
        for text in ("Ett", "Två")
    ]
    items = [{"type": "listItem", "content": [paragraph]} for paragraph in paragraphs]
    document = {"type": "doc", "content": [*paragraphs, {"type": "bulletList", "content": items}]}
    for content, text in (
        ("Rad 1\n\nRad 2", "Rad 1\n\nRad 2"),
        (document, "Ett\nTvå\nEtt\nTvå"),
        ("å" * 10_000, "å" * 10_000),
        ("å" * 10_001, "å" * 9_999 + "…"),
    ):
        note = elsa.post("/api/notes", {"content": content}).json()["note"]
        message = sent(elsa, dm, shareCard={"type": "note", "noteId": note["id"]})
        assert message["shareCard"]["fullContent"] == text


@pytest.mark.parametrize("content", [{}, {"content": ""}, {"content": None}, {"text": " \u200b "}])
def test_a_card_needs_no_text(
    content: dict[str, Any], elsa: Caller, bo: Caller, dm: Conversation
) -> None:
    body = {"shareCard": note_of(elsa), "clientId": "c"} | content
    answer = elsa.post(f"/api/conversations/{dm.pk.hex}/messages", body)
    assert answer.status_code == 201, answer.content
    message = answer.json()["message"]
    assert (message["content"], message["shareCard"]["title"]) == ("", "Bergarter")
    again = elsa.post(f"/api/conversations/{dm.pk.hex}/messages", body)
    assert (again.status_code, again.json()["message"]) == (200, message)
    (listed,) = bo.get("/api/conversations").json()["conversations"]
    assert (listed["lastMessage"], listed["unreadCount"]) == ("Shared card", 1)
    body.pop("shareCard")
    wrong = elsa.post(f"/api/conversations/{dm.pk.hex}/messages", body)
    assert code_of(wrong) == (400, "invalid_input")


@pytest.mark.parametrize("number", [OWN, int(OWN)])
def test_a_grade_is_read_with_the_senders_session(
    number: str | int, elsa: Caller, bo: Caller, dm: Conversation
) -> None:
    message = sent(elsa, dm, "Titta!", shareCard={"type": "grade", "assignmentId": number})
    card = message["shareCard"]
    assert (card["type"], card["assignmentId"]) == ("grade", OWN)
    assert set(card) == {
        "type", "assignmentId", "assignmentTitle", "subjectName", "assignmentType", "grade",
        "confidence", "totalPoints", "sharedAt",
    }  # fmt: skip
    assert one(bo, dm, message)["shareCard"] == card


def test_only_own_notes_and_grades_can_be_shared(
    elsa: Caller, bo: Caller, dm: Conversation
) -> None:
    cards = [note_of(bo), {"type": "note", "noteId": "0" * 32}, {"type": "note", "noteId": "x"}]
    cards.append({"type": "grade", "assignmentId": FOREIGN})
    for card in cards:
        assert code_of(send(elsa, dm, shareCard=card)) == (404, "not_found"), card
    assert not Message.objects.exists()


def test_a_card_of_the_wrong_shape_is_400(elsa: Caller, dm: Conversation) -> None:
    cards: list[Any] = [{"type": "note"}, {"type": "grade"}, {"type": "profile", "id": "1"}, "note"]
    cards += [[], {"noteId": "x"}, {"type": "grade", "assignmentId": True}]
    cards += [{"type": "note", "noteId": 5}]
    for card in cards:
        assert code_of(send(elsa, dm, shareCard=card)) == (400, "invalid_input"), card


def test_an_upstream_failure_is_answered_and_nothing_is_sent(
    elsa: Caller, dm: Conversation, simulator: Simulator
) -> None:
    simulator.faults.set("assignment", "500")
    answer = send(elsa, dm, shareCard={"type": "grade", "assignmentId": OWN}, clientId="c")
    assert answer.status_code in (502, 503)
    assert not Message.objects.exists()
    simulator.faults.clear()
    assert sent(elsa, dm, clientId="c")["seq"] == 1


def test_a_repeated_send_builds_no_second_card(
    elsa: Caller, dm: Conversation, simulator: Simulator
) -> None:
    card = {"type": "grade", "assignmentId": OWN}
    first = sent(elsa, dm, shareCard=card, clientId="c")
    simulator.faults.set("assignment", "500")
    again = send(elsa, dm, shareCard=card, clientId="c")
    assert (again.status_code, again.json()["message"]) == (200, first)
    other = send(elsa, dm, shareCard={"type": "grade", "assignmentId": "1"}, clientId="c")
    assert code_of(other) == (409, "client_id_reused")


def test_no_card_is_built_when_the_send_would_be_refused(
    elsa: Caller, bo: Caller, dm: Conversation, zoe: Caller
) -> None:
    assert code_of(send(zoe, dm, shareCard=note_of(zoe))) == (404, "not_found")
    block(bo, "elsa.nordvall")
    assert code_of(send(elsa, dm, shareCard={"type": "note", "noteId": "x"})) == (403, "dm_refused")


def test_a_deleted_message_has_no_card(elsa: Caller, bo: Caller, dm: Conversation) -> None:
    message = sent(elsa, dm, shareCard=note_of(elsa))
    edited = changed(elsa, dm, message, "edit", content="Ändrat")
    assert edited["shareCard"] == message["shareCard"]
    elsa.delete(message_path(dm, message))
    assert one(bo, dm, message)["shareCard"] is None
