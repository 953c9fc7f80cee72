"""A reported group whose invites show another name than the group has now."""

import pytest

from social.models import CaseAction, Invite
from tests.conftest import Caller
from tests.social_actions import answer_invite, new_group, report
from tests.staff.cases import CasePage, open_case
from tests.staff.conftest import Enter

NAME_BEFORE, NAME_NOW = "Fult namn", "Snällt namn"


@pytest.fixture
def group(elsa: Caller, bo: Caller) -> str:
    """Elsa's group, which she has renamed since she invited Bo."""
    made = new_group(elsa, "bo.ek", name=NAME_BEFORE)
    rename(elsa, made, NAME_NOW)
    return made


@pytest.fixture
def page(group: str, bo: Caller, enter: Enter) -> CasePage:
    """The case of the group, which Bo has reported, opened by Moa."""
    report(bo, "group", group)
    return open_case(enter())


def rename(caller: Caller, group: str, name: str) -> None:
    body = {"action": "rename", "groupName": name}
    assert caller.patch(f"/api/conversations/{group}", body).status_code == 200


def name_in_invite(caller: Caller) -> str:
    (invite,) = caller.get("/api/group-invites").json()["invites"]
    return str(invite["groupName"])


def name_of(caller: Caller, group: str) -> str:
    found = caller.get(f"/api/conversations/{group}").json()["conversation"]["groupName"]
    return str(found)


def test_the_evidence_has_the_name_that_the_invited_person_reads(page: CasePage) -> None:
    assert f"Name {NAME_NOW} the same" in page.text()
    assert f"Name in open invites {NAME_BEFORE} the same" in page.text()


def test_the_name_in_the_invite_stays_evidence_after_the_answer(page: CasePage, bo: Caller) -> None:
    answer_invite(bo, accept=False)
    assert f"Name in open invites changed {NAME_BEFORE} –" in page.text()


def test_each_name_in_open_invites_is_shown_once(
    group: str, elsa: Caller, bo: Caller, enter: Enter
) -> None:
    for name in ("alva.lind", "ömer.sjölin"):
        Caller().sign_in(name)
        body = {"conversationId": group, "targetUsername": name}
        assert elsa.post("/api/group-invites", body).status_code == 201
    report(bo, "group", group)
    assert f"Name in open invites {NAME_BEFORE} {NAME_NOW} the same" in open_case(enter()).text()


def test_removing_the_name_removes_it_from_open_invites(
    page: CasePage, group: str, elsa: Caller, bo: Caller
) -> None:
    assert page.do("remove_group_name").endswith(": done.")
    assert (name_of(elsa, group), name_in_invite(bo)) == ("Group", "Group")
    assert f"Name in open invites changed {NAME_BEFORE} Group" in page.text()
    assert page.do("remove_group_name") == "Nothing was changed: it is like that already."


def test_the_name_in_an_invite_is_removed_when_the_group_has_a_neutral_name_already(
    page: CasePage, group: str, elsa: Caller, bo: Caller
) -> None:
    rename(elsa, group, "Group")
    assert page.do("remove_group_name").endswith(": done.")
    assert name_in_invite(bo) == "Group"
    assert CaseAction.objects.get().name == "remove_group_name"


def test_answered_invites_and_those_of_other_groups_keep_their_name(
    page: CasePage, elsa: Caller, bo: Caller
) -> None:
    Caller().sign_in("alva.lind")
    new_group(elsa, "alva.lind")
    answer_invite(bo)
    page.do("remove_group_name")
    kept = dict(Invite.objects.values_list("invited__username", "group_name"))
    assert kept == {"bo.ek": NAME_BEFORE, "alva.lind": "Ugglorna"}
