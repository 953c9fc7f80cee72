"""Requests that the tests of notes and their links share."""

from typing import Any

from tests.conftest import Caller

PATH = "/api/notes"
Note = dict[str, Any]


def added(caller: Caller, **fields: Any) -> Note:
    """A new note of the caller, as the API returns it."""
    answer = caller.post(PATH, fields)
    assert answer.status_code == 201, answer.content
    note: Note = answer.json()["note"]
    return note


def changed(caller: Caller, note: Note, **fields: Any) -> Note:
    """The note after a change that must succeed."""
    answer = caller.patch(f"{PATH}/{note['id']}", fields)
    assert answer.status_code == 200, answer.content
    after: Note = answer.json()["note"]
    return after


def read(caller: Caller, note: Note) -> Note:
    """The stored note."""
    stored: Note = caller.get(f"{PATH}/{note['id']}").json()["note"]
    return stored


def listed(caller: Caller, query: str = "") -> list[Note]:
    """The notes of one page."""
    notes: list[Note] = caller.get(f"{PATH}{query}").json()["notes"]
    return notes


def shared(caller: Caller, note: Note) -> str:
    """The token of a new link."""
    answer = caller.post(f"{PATH}/{note['id']}/share")
    assert answer.status_code == 201, answer.content
    return str(answer.json()["token"])


def opened(token: str, **headers: str) -> Any:
    """The answer to the link's token, without a session."""
    return Caller().get(f"{PATH}/shared/{token}", **headers)


def refusal(answer: Any, field: str = "content") -> str:
    """The error of a field, which must be the only one."""
    assert answer.status_code == 400, answer.content
    body = answer.json()
    assert (body["code"], list(body["fields"])) == ("invalid_input", [field])
    (sentence,) = body["fields"][field]
    return str(sentence)
