"""What was reported stays what it was, whatever the reported person does."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command

from tests.abuse.people import become_friends, block, own_lists, report
from tests.abuse.test_what_was_seen import HARMLESS, THREAT, delete, edit, edit_and_delete, erase
from tests.conftest import Caller
from tests.social.cast import Cast
from tests.social.friend_requests import code_of
from tests.staff.cases import CasePage, page_of
from tests.staff.conftest import Enter


@pytest.fixture
def threat(cast: Cast) -> Any:
    """Bo's message in a group with Elsa, which she has reported."""
    become_friends(cast.elsa, cast.bo)
    group = cast.elsa.group(cast.bo)
    cast.elsa.send(group, "Hej")
    message = cast.bo.send(group, THREAT)
    assert report(cast.elsa, "message", message["id"]).status_code == 201
    return message


def open_case(enter: Enter) -> CasePage:
    """The only case, opened by a moderator."""
    return CasePage(enter(), page_of()).open()


def _leave(cast: Cast, message: Any) -> None:
    left = cast.bo.do({"id": message["conversationId"]}, "leave")
    assert left.status_code == 200, left.content


def _close_the_group(cast: Cast, message: Any) -> None:
    _leave(cast, message)
    left = cast.elsa.do({"id": message["conversationId"]}, "leave")
    assert left.status_code == 200, left.content


def _rename(cast: Cast, message: Any) -> None:
    assert cast.bo.put("/api/profile", {"displayName": "Kim"}).status_code == 200


def _block(cast: Cast, message: Any) -> None:
    block(cast.bo, cast.elsa)


def _erase_by_command(cast: Cast, message: Any) -> None:
    call_command("erase_account", cast.bo.username, "--yes")


ESCAPES: list[Callable[[Cast, Any], None]] = [
    edit, delete, edit_and_delete, _leave, _close_the_group, _rename, _block, erase,
    _erase_by_command,
]  # fmt: skip


@pytest.mark.parametrize("escape", ESCAPES, ids=lambda one: one.__name__.strip("_"))
def test_a_reported_threat_is_still_seen_by_staff(
    cast: Cast, threat: Any, enter: Enter, escape: Callable[[Cast, Any], None]
) -> None:
    escape(cast, threat)
    text = open_case(enter).text()
    assert THREAT in text
    assert "Hej" in text  # the message before it


@pytest.mark.parametrize("escape", ["edit", "delete", "revoke"])
def test_a_note_is_kept_as_it_was(cast: Cast, enter: Enter, escape: str) -> None:
    note = cast.bo.post("/api/notes", {"title": "Om Elsa", "content": THREAT}).json()["note"]
    path = f"/api/notes/{note['id']}"
    token = cast.bo.post(f"{path}/share").json()["token"]
    assert report(cast.elsa, "note", token).status_code == 201
    answer = {
        "edit": lambda: cast.bo.patch(path, {"title": "Matte", "content": HARMLESS}),
        "delete": lambda: cast.bo.delete(path),
        "revoke": lambda: cast.bo.delete(f"{path}/share"),
    }[escape]()
    assert answer.status_code == 200
    assert THREAT in open_case(enter).text()


def test_erasing_the_account_does_not_dismiss_the_report(
    cast: Cast, threat: Any, enter: Enter
) -> None:
    erase(cast, threat)
    (own,) = cast.elsa.get("/api/reports").json()["reports"]
    assert (own["status"], own["outcome"]) == ("open", None)
    open_case(enter).do("suspend", **{"suspend-words": "Du har hotat någon."})
    body = {"username": "bo.ek", "password": "bo-demo", "school": "bjorkdalen"}
    refused = Caller().post("/api/login", body)
    assert code_of(refused) == (403, "account_suspended")
    assert refused.json()["reason"] == "Du har hotat någon."


def test_the_reported_person_learns_nothing_of_the_report(
    cast: Cast, threat: Any, enter: Enter
) -> None:
    before = own_lists(cast.bo)
    page = open_case(enter)
    assert own_lists(cast.bo) == before
    page.do("warn", **{"warn-words": "Skriv inte så till någon."})
    (warning,) = cast.bo.get("/api/profile").json()["profile"]["warnings"]
    assert cast.elsa.username not in str(warning)
