"""Names, profiles, invites and requests that were changed or withdrawn can still be reported."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.limits import PROFILE_CHANGES
from accounts.models import KeptText
from social.limits import GROUP_CHANGES
from social.models import Case, PastMembership, Report
from tests.abuse.people import FRIENDS, NOT_FOUND, ask, become_friends, block, report
from tests.accounts.full_account import columns_and_keys_with, export_of
from tests.social.cast import INVITES, Cast, Person
from tests.social.friend_requests import code_of
from tests.staff.cases import open_case
from tests.staff.conftest import Enter

INSULT, HARMLESS = "Elsa är ful", "Ugglorna"


def erase(person: Person) -> None:
    password = f"{person.username.split('.')[0]}-demo"
    assert person.delete("/api/account", {"password": password}).status_code == 200


def rename(person: Person, group: Any, **names: str) -> tuple[int, str]:
    return code_of(person.do(group, "rename", **names))


@pytest.fixture
def group(cast: Cast) -> Any:
    """Bo's group with Elsa and Alva, whose name is an insult."""
    for friend in (cast.elsa, cast.alva):
        become_friends(friend, cast.bo)
    return cast.bo.group(cast.elsa, cast.alva, groupName=INSULT, groupDescription="Fula ord")


def test_the_earlier_names_of_a_group_are_in_the_report(
    cast: Cast, group: Any, enter: Enter
) -> None:
    assert rename(cast.bo, group, groupName=HARMLESS, groupDescription="") == (200, "")
    assert report(cast.elsa, "group", group["id"]).status_code == 201
    text = open_case(enter()).text()
    before = text.partition("What stood there before")[2]
    assert f"Name {INSULT}" in before
    assert "Description Fula ord" in before


@pytest.mark.parametrize("everybody", [False, True])
def test_who_left_reports_the_group_as_it_was(
    cast: Cast, group: Any, enter: Enter, everybody: bool
) -> None:
    assert cast.elsa.do(group, "leave").status_code == 200
    rename(cast.bo, group, groupName=HARMLESS)
    if everybody:
        for person in (cast.bo, cast.alva):
            assert person.do(group, "leave").status_code == 200
    assert report(cast.elsa, "group", group["id"], username="bo.ek").status_code == 201
    text = open_case(enter()).text()
    assert f"Name changed {INSULT} {HARMLESS}" in text
    assert "The reporter could read it until" in text
    assert "named by a reporter" in text


def test_naming_somebody_tells_nobody_who_was_there_at_another_time(cast: Cast, group: Any) -> None:
    cast.alva.do(group, "leave")
    become_friends(cast.omer, cast.bo)
    cast.bo.do(group, "add_member", targetUsername=cast.omer.username)
    assert code_of(report(cast.omer, "group", group["id"], username="alva.lind")) == NOT_FOUND
    assert code_of(report(cast.alva, "group", group["id"], username="ömer.sjölin")) == NOT_FOUND
    assert report(cast.alva, "group", group["id"], username="bo.ek").status_code == 201


def test_after_fourteen_days_the_group_is_unknown(cast: Cast, group: Any) -> None:
    cast.elsa.do(group, "leave")
    PastMembership.objects.update(left_at=timezone.now() - timedelta(days=14))
    assert code_of(report(cast.elsa, "group", group["id"])) == NOT_FOUND


@pytest.mark.parametrize("erased", [False, True])
def test_staff_can_choose_who_left_before_the_report(
    cast: Cast, group: Any, enter: Enter, erased: bool
) -> None:
    if erased:
        erase(cast.bo)
    else:
        assert cast.bo.do(group, "leave").status_code == 200
    assert report(cast.elsa, "group", group["id"], username="bo.ek").status_code == 201
    page = open_case(enter())
    assert "Left in the last 14 days bo.ek" in page.text()
    (person,) = [value for value, label in _choices(page.html()) if "bo.ek" in label]
    assert page.do("choose", **{"choose-person": person}) == "The case is about this person now."
    assert page.do("suspend", **{"suspend-words": "Sluta."}).startswith("Suspend the account: done")


def _choices(html: str) -> list[tuple[str, str]]:
    return re.findall(r'<option value="(\w+)">([^<]+)</option>', html)


def test_texts_of_a_profile_are_kept(cast: Cast, enter: Enter) -> None:
    for display_name, bio, location in [(INSULT, "Fula ord", "Hemma hos Elsa"), ("Bo", "", "")]:
        body = {"displayName": display_name, "bio": bio, "location": location}
        assert cast.bo.put("/api/profile", body).status_code == 200
    report(cast.elsa, "profile", "bo.ek")
    before = open_case(enter()).text().partition("What stood there before")[2]
    assert f"Display name {INSULT}" in before
    assert "Bio Fula ord" in before
    assert "Location Hemma hos Elsa" in before


@pytest.mark.parametrize("removed_first", [False, True])
def test_who_is_blocked_reports_what_the_profile_said(
    cast: Cast, enter: Enter, removed_first: bool
) -> None:
    cast.bo.put("/api/profile", {"bio": INSULT})
    block(cast.bo, cast.elsa)
    if removed_first:
        cast.bo.put("/api/profile", {"bio": ""})
    assert report(cast.elsa, "profile", "bo.ek").status_code == 201
    assert INSULT in open_case(enter()).text()


def test_the_answer_to_a_report_is_the_same_whether_one_is_blocked(cast: Cast) -> None:
    block(cast.bo, cast.elsa)
    people = (cast.bo, cast.alva)
    answers = [report(cast.elsa, "profile", person.username).json() for person in people]
    for answer in answers:
        del answer["report"]["id"], answer["report"]["createdAt"]
    assert answers[0] == answers[1]


def test_no_text_is_pushed_out_by_many_changes(cast: Cast, group: Any) -> None:
    rows = [
        ("profile", str(cast.bo.account_id), PROFILE_CHANGES),
        ("group", group["id"], GROUP_CHANGES),
    ]
    KeptText.objects.bulk_create(
        KeptText(
            target_type=kind, target_id=target, texts="{}", change="edited", gone_at=timezone.now()
        )
        for kind, target, most in rows
        for _ in range(most)
    )
    refused = (409, "changed_too_often")
    assert rename(cast.bo, group, groupName=HARMLESS) == refused
    assert rename(cast.bo, group, groupName=INSULT) == (200, "")  # no change
    assert code_of(cast.bo.put("/api/profile", {"bio": "Hej"})) == refused
    assert cast.bo.put("/api/profile", {"dmPrivacy": "friends"}).status_code == 200
    KeptText.objects.update(gone_at=timezone.now() - timedelta(days=14))
    assert rename(cast.bo, group, groupName=HARMLESS) == (200, "")
    assert cast.bo.put("/api/profile", {"bio": "Hej"}).status_code == 200


def invited(cast: Cast) -> Any:
    """Elsa's invite into a group of Bo's, who is no friend of hers."""
    group = cast.bo.group(cast.elsa, groupName=INSULT)
    (invite,) = cast.elsa.invites()
    assert invite["conversationId"] == group["id"]
    return invite


@pytest.mark.parametrize("how", ["open", "withdraw", "decline", "block", "erase"])
def test_an_invite_is_reported_after_it_was_withdrawn(cast: Cast, enter: Enter, how: str) -> None:
    invite = invited(cast)
    if how == "withdraw":
        assert cast.bo.delete(f"{INVITES}?inviteId={invite['id']}").status_code == 200
    elif how == "decline":
        assert cast.elsa.answer(invite, accept=False).status_code == 200
    elif how == "block":
        block(cast.bo, cast.elsa)
    elif how == "erase":
        erase(cast.bo)
    for stranger in (cast.alva, *([] if how == "erase" else [cast.bo])):
        assert code_of(report(stranger, "invite", invite["id"])) == NOT_FOUND
    made = report(cast.elsa, "invite", invite["id"])
    assert made.status_code == 201, made.content
    assert made.json()["report"]["type"] == "invite"
    text = open_case(enter()).text()
    assert INSULT in text
    assert "bo.ek" in text
    assert ("withdrawn" in text) == (how in ("withdraw", "block", "erase"))
    case = Case.objects.get()
    assert case.person_hash
    assert (case.person is None) == (how == "erase")


def test_staff_remove_the_name_of_the_invites_group(cast: Cast, enter: Enter) -> None:
    report(cast.elsa, "invite", invited(cast)["id"])
    page = open_case(enter())
    assert page.do("remove_invited_group_name").endswith(": done.")
    assert cast.elsa.invites()[0]["groupName"] == "Group"


@pytest.mark.parametrize("how", ["open", "decline", "erase"])
def test_the_name_that_staff_removed_is_in_a_later_report_of_the_invite(
    cast: Cast, enter: Enter, how: str
) -> None:
    invite = invited(cast)
    become_friends(cast.alva, cast.bo)
    cast.bo.do({"id": invite["conversationId"]}, "add_member", targetUsername="alva.lind")
    rename(cast.bo, {"id": invite["conversationId"]}, groupName=HARMLESS)
    assert report(cast.alva, "group", invite["conversationId"]).status_code == 201
    staff = enter()
    assert open_case(staff).do("remove_group_name").endswith(": done.")
    assert cast.elsa.invites()[0]["groupName"] == "Group"
    if how == "decline":
        assert cast.elsa.answer(invite, accept=False).status_code == 200
    elif how == "erase":
        erase(cast.bo)
    assert report(cast.elsa, "invite", invite["id"]).status_code == 201
    text = open_case(staff, Case.objects.get(target_type="invite")).text()
    before = text.partition("What stood there before")[2]
    assert f"Name {INSULT}" in before
    assert code_of(report(cast.alva, "invite", invite["id"])) == NOT_FOUND


@pytest.mark.parametrize("how", ["open", "withdraw", "decline", "block", "be blocked", "erase"])
def test_a_request_is_reported_after_it_was_withdrawn(cast: Cast, enter: Enter, how: str) -> None:
    request = ask(cast.bo, cast.elsa).json()["friendship"]["id"]
    if how == "withdraw":
        assert cast.bo.delete(FRIENDS, {"targetUsername": "elsa.nordvall"}).status_code == 200
    elif how == "decline":
        body = {"fromUsername": "bo.ek", "accept": False}
        assert cast.elsa.patch(FRIENDS, body).status_code == 200
    elif how == "block":
        block(cast.bo, cast.elsa)
    elif how == "be blocked":
        block(cast.elsa, cast.bo)
    elif how == "erase":
        erase(cast.bo)
    for stranger in (cast.alva, *([] if how == "erase" else [cast.bo])):
        assert code_of(report(stranger, "friend_request", request)) == NOT_FOUND
    made = report(cast.elsa, "friend_request", request)
    assert made.status_code == 201, made.content
    text = open_case(enter()).text()
    assert "Bo Ek" in text
    case = Case.objects.get()
    assert case.person_hash
    assert (case.person is None) == (how == "erase")


def test_an_accepted_request_is_no_request(cast: Cast) -> None:
    become_friends(cast.bo, cast.elsa)
    friendship = cast.elsa.get(FRIENDS).json()["friends"][0]["id"]
    assert code_of(report(cast.elsa, "friend_request", friendship)) == NOT_FOUND


@pytest.mark.parametrize("kind", ["invite", "friend_request"])
def test_unknown_ids_are_the_same_404(cast: Cast, kind: str) -> None:
    answers = [report(cast.elsa, kind, target) for target in ("0" * 32, "nonsense", "1")]
    assert {code_of(answer) for answer in answers} == {NOT_FOUND}
    assert len({answer.content for answer in answers}) == 1


def test_what_is_kept_is_sealed_and_in_the_export_of_its_author(cast: Cast) -> None:
    cast.bo.put("/api/profile", {"bio": "Fula ord"})
    cast.bo.put("/api/profile", {"bio": ""})
    assert columns_and_keys_with("Fula ord") == []
    (kept,) = export_of(cast.bo)["earlier-texts.json"]
    assert (kept["targetType"], kept["texts"], kept["change"]) == (
        "profile",
        {"bio": "Fula ord"},
        "edited",
    )
    assert export_of(cast.elsa)["earlier-texts.json"] == []
    assert not Report.objects.exists()
