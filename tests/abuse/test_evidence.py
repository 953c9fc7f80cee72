"""What was reported stays what it was, whatever the reported person does."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command

from tests.abuse.people import Everybody, become_friends, block, change, code_of, own_lists, report
from tests.abuse.staff_site import Site
from tests.conftest import Caller
from tests.staff.conftest import Enter

THREAT, HARMLESS = "Jag vet var du bor", "Vi ses på matten"


@pytest.fixture
def group(cast: Everybody) -> Any:
    """A group of Elsa and Bo, who are friends."""
    become_friends(cast.elsa, cast.bo)
    return cast.elsa.group(cast.bo)


@pytest.fixture
def threat(cast: Everybody, group: Any) -> Any:
    """Bo's message, which Elsa has reported."""
    cast.elsa.send(group, "Hej")
    message = cast.bo.send(group, THREAT)
    assert report(cast.elsa, "message", message["id"]).status_code == 201
    return message


def _edit(cast: Everybody, message: Any) -> None:
    assert change(cast.bo, message, "edit", content=HARMLESS) == (200, "")


def _delete(cast: Everybody, message: Any) -> None:
    path = f"/api/conversations/{message['conversationId']}/{message['id']}"
    assert cast.bo.delete(path).status_code == 200


def _edit_and_delete(cast: Everybody, message: Any) -> None:
    _edit(cast, message)
    _delete(cast, message)


def _leave(cast: Everybody, message: Any) -> None:
    left = cast.bo.do({"id": message["conversationId"]}, "leave")
    assert left.status_code == 200, left.content


def _close_the_group(cast: Everybody, message: Any) -> None:
    _leave(cast, message)
    left = cast.elsa.do({"id": message["conversationId"]}, "leave")
    assert left.status_code == 200, left.content


def _rename(cast: Everybody, message: Any) -> None:
    assert cast.bo.put("/api/profile", {"displayName": "Kim"}).status_code == 200


def _block(cast: Everybody, message: Any) -> None:
    block(cast.bo, cast.elsa)


def _erase(cast: Everybody, message: Any) -> None:
    assert cast.bo.delete("/api/account", {"password": "bo-demo"}).status_code == 200


def _erase_by_command(cast: Everybody, message: Any) -> None:
    call_command("erase_account", cast.bo.username, "--yes")


ESCAPES: list[Callable[[Everybody, Any], None]] = [
    _edit, _delete, _edit_and_delete, _leave, _close_the_group, _rename, _block, _erase,
    _erase_by_command,
]  # fmt: skip


@pytest.mark.parametrize("escape", ESCAPES, ids=lambda one: one.__name__.strip("_"))
def test_a_reported_threat_is_still_seen_by_staff(
    cast: Everybody, threat: Any, enter: Enter, escape: Callable[[Everybody, Any], None]
) -> None:
    escape(cast, threat)
    site = Site(enter()).open_case()
    assert THREAT in site.text
    assert "Hej" in site.text  # the message before it


def test_an_edit_and_a_deletion_are_shown_beside_it(
    cast: Everybody, threat: Any, enter: Enter
) -> None:
    client = enter()
    _edit(cast, threat)
    text = Site(client).open_case().text
    assert THREAT in text
    assert HARMLESS in text
    assert re.search("edited", text, re.IGNORECASE)
    _delete(cast, threat)
    text = Site(client).open_case().text
    assert THREAT in text
    assert re.search("deleted", text, re.IGNORECASE)


def test_a_message_that_was_edited_before_the_report_shows_that_it_was(
    cast: Everybody, group: Any, enter: Enter
) -> None:
    message = cast.bo.send(group, THREAT)
    _edit(cast, message)
    report(cast.elsa, "message", message["id"])
    assert re.search("edited", Site(enter()).open_case().text, re.IGNORECASE)


def test_a_profile_is_kept_as_it_was(cast: Everybody, enter: Enter) -> None:
    cast.bo.put("/api/profile", {"bio": THREAT, "displayName": f"Bo {THREAT}"})
    assert report(cast.elsa, "profile", cast.bo.username).status_code == 201
    cast.bo.put("/api/profile", {"bio": HARMLESS, "displayName": "Bo"})
    text = Site(enter()).open_case().text
    assert text.count(THREAT) >= 2
    assert HARMLESS in text


def test_a_group_is_kept_as_it_was(cast: Everybody, enter: Enter) -> None:
    become_friends(cast.bo, cast.omer)
    group = cast.bo.group(cast.omer, groupName=THREAT, groupDescription=f"Ja, {THREAT}")
    cast.bo.invite(group, cast.elsa)
    assert report(cast.elsa, "group", group["id"]).status_code == 201
    cast.bo.do(group, "rename", groupName=HARMLESS, groupDescription="")
    assert Site(enter()).open_case().text.count(THREAT) >= 2


@pytest.mark.parametrize("escape", ["edit", "delete", "revoke"])
def test_a_note_is_kept_as_it_was(cast: Everybody, enter: Enter, escape: str) -> None:
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
    assert THREAT in Site(enter()).open_case().text


def bo_signs_in() -> tuple[int, str]:
    body = {"username": "bo.ek", "password": "bo-demo", "school": "bjorkdalen"}
    return code_of(Caller().post("/api/login", body))


def test_erasing_the_account_does_not_dismiss_the_report(
    cast: Everybody, threat: Any, enter: Enter
) -> None:
    _erase(cast, threat)
    (own,) = cast.elsa.get("/api/reports").json()["reports"]
    assert (own["status"], own["outcome"]) == ("open", None)
    Site(enter()).open_case().press("^suspend", words="Du har hotat någon.")
    assert bo_signs_in() == (403, "account_suspended")


def test_erasing_the_account_does_not_lose_a_suspension(cast: Everybody) -> None:
    name = cast.bo.username
    call_command("suspend_account", name)
    own = cast.bo.delete("/api/account", {"password": "bo-demo"})
    assert code_of(own) == (403, "account_suspended")
    call_command("erase_account", name, "--yes")
    assert bo_signs_in() == (403, "account_suspended")


def test_the_reported_person_learns_nothing_of_the_report(
    cast: Everybody, threat: Any, enter: Enter
) -> None:
    before = own_lists(cast.bo)
    site = Site(enter()).open_case()
    assert own_lists(cast.bo) == before
    site.press("^warn", words="Skriv inte så till någon.")
    assert cast.elsa.username not in str(cast.bo.get("/api/profile").json()["profile"]["warnings"])
