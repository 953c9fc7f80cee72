"""What the tests of notes and their links do again and again."""

from typing import Any

from tests.conftest import Caller

PATH = "/api/notes"
Note = dict[str, Any]


def added(caller: Caller, **fields: Any) -> Note:
    """A new note of the caller's, as it is answered."""
    answer = caller.post(PATH, fields)
    assert answer.status_code == 201, answer.content
    note: Note = answer.json()["note"]
    return note


def changed(caller: Caller, note: Note, **fields: Any) -> Note:
    """The note after a change that must be good."""
    answer = caller.patch(f"{PATH}/{note['id']}", fields)
    assert answer.status_code == 200, answer.content
    after: Note = answer.json()["note"]
    return after


def read(caller: Caller, note: Note) -> Note:
    """The note as it is now."""
    stored: Note = caller.get(f"{PATH}/{note['id']}").json()["note"]
    return stored


def listed(caller: Caller, query: str = "") -> list[Note]:
    """One page."""
    notes: list[Note] = caller.get(f"{PATH}{query}").json()["notes"]
    return notes


def shared(caller: Caller, note: Note) -> str:
    """The token of a new link."""
    answer = caller.post(f"{PATH}/{note['id']}/share")
    assert answer.status_code == 201, answer.content
    return str(answer.json()["token"])


def opened(token: str, **headers: str) -> Any:
    """What a program without a session gets under a link."""
    return Caller().get(f"{PATH}/shared/{token}", **headers)


def refusal(answer: Any, field: str = "content") -> str:
    """Why a field was refused, which must be all that was."""
    assert answer.status_code == 400, answer.content
    body = answer.json()
    assert (body["code"], list(body["fields"])) == ("invalid_input", [field])
    (sentence,) = body["fields"][field]
    return str(sentence)
