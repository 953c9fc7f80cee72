"""What was seen can be reported for fourteen days, whatever the reported person did before."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.models import KeptText
from social.models import Case, Conversation, Message, PastMembership, Report
from tests.abuse.people import NOT_FOUND, become_friends, block, change, report
from tests.accounts.full_account import export_of
from tests.concurrency import at_once
from tests.conftest import Caller
from tests.social.cast import Cast, Person
from tests.social.friend_requests import code_of
from tests.staff.cases import open_case
from tests.staff.conftest import Enter

THREAT, HARMLESS = "Jag vet var du bor", "Vi ses på matten"
SUSPENSION = {"suspend-words": "Du har hotat någon."}


@pytest.fixture
def threat(cast: Cast) -> Any:
    """Bo's message in his group with Elsa and Alva, which nobody has reported."""
    for friend in (cast.elsa, cast.alva):
        become_friends(friend, cast.bo)
    group = cast.bo.group(cast.elsa, cast.alva)
    return cast.bo.send(group, THREAT)


def path_of(message: Any) -> str:
    return f"/api/conversations/{message['conversationId']}/{message['id']}"


def group_of(message: Any) -> dict[str, str]:
    return {"id": message["conversationId"]}


def edit(cast: Cast, message: Any, text: str = HARMLESS) -> None:
    assert change(cast.bo, message, "edit", content=text) == (200, "")


def delete(cast: Cast, message: Any) -> None:
    assert cast.bo.delete(path_of(message)).status_code == 200


def edit_and_delete(cast: Cast, message: Any) -> None:
    edit(cast, message)
    delete(cast, message)


def remove(cast: Cast, message: Any) -> None:
    """The child is removed."""
    removed = cast.bo.do(group_of(message), "remove_member", targetUsername=cast.elsa.username)
    assert removed.status_code == 200, removed.content


def remove_and_delete(cast: Cast, message: Any) -> None:
    remove(cast, message)
    delete(cast, message)


def leave(cast: Cast, message: Any) -> None:
    """The child leaves."""
    assert cast.elsa.do(group_of(message), "leave").status_code == 200


def all_leave(cast: Cast, message: Any) -> None:
    delete(cast, message)
    for person in (cast.bo, cast.alva, cast.elsa):
        assert person.do(group_of(message), "leave").status_code == 200


def leave_and_come_back(cast: Cast, message: Any) -> None:
    leave(cast, message)
    edit(cast, message)
    added = cast.bo.do(group_of(message), "add_member", targetUsername=cast.elsa.username)
    assert added.status_code == 200, added.content


def erase(cast: Cast, message: Any) -> None:
    assert cast.bo.delete("/api/account", {"password": "bo-demo"}).status_code == 200


def delete_and_erase(cast: Cast, message: Any) -> None:
    delete(cast, message)
    erase(cast, message)


def erase_and_expire(cast: Cast, message: Any) -> None:
    """Retention removes the message altogether."""
    erase(cast, message)
    Message.objects.update(created_at=timezone.now() - timedelta(days=400))
    call_command("enforce_retention")
    assert not Message.objects.exists()


ESCAPES: list[Callable[[Cast, Any], None]] = [
    edit, delete, edit_and_delete, remove, remove_and_delete, leave, all_leave, leave_and_come_back,
    erase, delete_and_erase, erase_and_expire,
]  # fmt: skip


@pytest.mark.parametrize("escape", ESCAPES, ids=lambda function: function.__name__)
def test_a_threat_is_reported_after_it_was_taken_back(
    cast: Cast, threat: Any, enter: Enter, escape: Callable[[Cast, Any], None]
) -> None:
    escape(cast, threat)
    assert report(cast.elsa, "message", threat["id"]).status_code == 201
    text = open_case(enter()).text()
    assert THREAT in text
    assert "bo.ek" in text


def test_staff_see_each_text_with_the_time_when_it_went(
    cast: Cast, threat: Any, enter: Enter
) -> None:
    edit_and_delete(cast, threat)
    report(cast.elsa, "message", threat["id"])
    text = open_case(enter()).text()
    order = [THREAT, "when it was edited", HARMLESS, "when it was deleted"]
    positions = [text.index(words) for words in order]
    assert positions == sorted(positions)
    assert "Unchanged since." in text


def test_who_was_removed_sees_nothing_of_later_changes_in_the_report(
    cast: Cast, threat: Any, enter: Enter
) -> None:
    remove(cast, threat)
    edit(cast, threat)
    cast.bo.send(group_of(threat), "Nu är hon borta")
    report(cast.elsa, "message", threat["id"])
    text = open_case(enter()).text()
    then, _, now = text.partition("Now · edited")
    assert "The reporter could read it until" in then
    assert THREAT in then
    assert HARMLESS not in then
    assert HARMLESS in now
    assert "Nu är hon borta" not in text


def test_all_twenty_texts_are_kept_and_the_twenty_first_edit_is_refused(
    cast: Cast, threat: Any
) -> None:
    for number in range(20):
        edit(cast, threat, f"nummer {number}")
    refused = change(cast.bo, threat, "edit", content="nummer 20")
    assert refused == (409, "changed_too_often")
    assert change(cast.bo, threat, "edit", content="nummer 19") == (200, "")  # no change
    delete(cast, threat)
    report(cast.elsa, "message", threat["id"])
    evidence = Report.objects.get().evidence
    assert THREAT in evidence
    assert all(f'"nummer {number}"' in evidence for number in range(20))


def test_the_author_is_suspended_by_the_hash_after_an_erasure(
    cast: Cast, threat: Any, enter: Enter
) -> None:
    erase(cast, threat)
    report(cast.elsa, "message", threat["id"])
    page = open_case(enter())
    assert "The account was erased." in page.text()
    assert page.do("suspend", **SUSPENSION).startswith("Suspend the account: done.")
    body = {"username": "bo.ek", "password": "bo-demo", "school": "bjorkdalen"}
    assert code_of(Caller().post("/api/login", body)) == (403, "account_suspended")


def test_a_report_finds_the_new_account_of_who_came_back(
    cast: Cast, threat: Any, enter: Enter
) -> None:
    erase(cast, threat)
    again = Person("bo.ek", "bjorkdalen")
    report(cast.elsa, "message", threat["id"])
    assert Case.objects.get().person_id == again.account_id


def test_only_what_one_could_read_can_be_reported(cast: Cast, threat: Any) -> None:
    group = group_of(threat)
    become_friends(cast.omer, cast.bo)
    cast.bo.do(group, "add_member", targetUsername=cast.omer.username)
    delete(cast, threat)
    leave(cast, threat)
    later = cast.bo.send(group, "Elsa får inte läsa det")
    edit(cast, later)
    refused = [
        report(cast.omer, "message", threat["id"]),  # from before the join
        report(cast.teacher, "message", threat["id"]),  # a stranger
        report(cast.elsa, "message", later["id"]),  # from after leaving
        report(cast.elsa, "message", f"{group['id']}-99"),
        report(cast.teacher, "group", group["id"]),
    ]
    unknown = report(cast.elsa, "message", f"{'0' * 32}-1")
    assert code_of(unknown) == NOT_FOUND
    assert {answer.content for answer in refused} == {unknown.content}
    assert not Report.objects.exists()


def test_after_fourteen_days_nothing_is_kept(cast: Cast, threat: Any) -> None:
    edit_and_delete(cast, threat)
    leave(cast, threat)
    old = timezone.now() - timedelta(days=13, hours=23)
    KeptText.objects.update(gone_at=old)
    PastMembership.objects.update(left_at=old)
    call_command("purge_expired")
    call_command("enforce_retention")
    assert report(cast.elsa, "message", threat["id"]).status_code == 201
    old = timezone.now() - timedelta(days=14)
    KeptText.objects.update(gone_at=old)
    PastMembership.objects.update(left_at=old)
    assert code_of(report(cast.elsa, "message", threat["id"])) == NOT_FOUND
    report(cast.alva, "message", threat["id"])
    assert THREAT not in Report.objects.get(reporter=cast.alva.account_id).evidence
    call_command("purge_expired")
    assert not KeptText.objects.exists()
    assert not PastMembership.objects.exists()


def test_a_deleted_encrypted_message_is_reported_with_a_copy(cast: Cast, enter: Enter) -> None:
    become_friends(cast.elsa, cast.bo)
    group = cast.bo.group(cast.elsa)
    Conversation.objects.update(encryption="aes-gcm")
    message = cast.bo.send(group, "A" * 60)
    delete(cast, message)
    kept = KeptText.objects.get()
    assert kept.values == {}  # nobody can read the ciphertext
    assert report(cast.elsa, "message", message["id"], disclosed=THREAT).status_code == 201
    text = open_case(enter()).text()
    assert "encrypted: only what a reporter disclosed can be read" in text
    assert "when it was deleted" in text
    assert f"It cannot be verified: {THREAT}" in text


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("escape", [edit, delete, erase, remove], ids=lambda each: each.__name__)
def test_nothing_is_lost_when_both_happen_at_once(
    cast: Cast, threat: Any, escape: Callable[[Cast, Any], None]
) -> None:
    reported = partial(report, cast.elsa, "message", threat["id"])
    answer, _ = at_once([reported, partial(escape, cast, threat)])
    assert answer.status_code == 201, answer.content
    kept = Report.objects.select_related("case").get()
    assert THREAT in kept.evidence
    assert kept.case.person_hash


def test_a_block_hides_no_message_from_a_report(cast: Cast, threat: Any) -> None:
    delete(cast, threat)
    block(cast.bo, cast.elsa)
    assert report(cast.elsa, "message", threat["id"]).status_code == 201


def test_staff_see_that_the_admin_deleted_a_message_of_a_child(
    cast: Cast, threat: Any, enter: Enter
) -> None:
    """Before the report, and after it. The child's export does not name the admin."""
    stop, please = (cast.elsa.send(group_of(threat), text) for text in ("Sluta", "Snälla"))
    assert cast.bo.delete(path_of(stop)).status_code == 200
    report(cast.elsa, "message", stop["id"])
    assert cast.bo.delete(path_of(please)).status_code == 200
    erase(cast, threat)
    text = open_case(enter()).text()
    assert "Sluta until" in text
    assert text.count("when bo.ek deleted it") == 1
    assert text.count("deleted by bo.ek") == 2
    (own,) = [row for row in _kept_in_export(cast.elsa) if row["texts"] == {"text": "Sluta"}]
    assert own["change"] == "deleted"
    assert cast.bo.username not in str(_kept_in_export(cast.elsa))


def test_staff_see_nobody_else_where_the_author_deleted_it(
    cast: Cast, threat: Any, enter: Enter
) -> None:
    delete(cast, threat)
    report(cast.elsa, "message", threat["id"])
    text = open_case(enter()).text()
    assert "when it was deleted" in text
    assert "deleted by" not in text


def _kept_in_export(person: Person) -> Any:
    return export_of(person)["earlier-texts.json"]
