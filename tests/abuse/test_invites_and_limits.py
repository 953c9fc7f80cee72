"""Invites, groups and reports are no way to write to many people, or to one again and again."""

from typing import Any

import pytest

from tests.abuse.conftest import Later
from tests.abuse.people import (
    Everybody,
    become_friends,
    code_of,
    new_group,
    own_lists,
    report,
    write,
)
from tests.conftest import Caller
from tests.social.cast import INVITES, Person, pupils

DECLINED = (409, "declined_recently")
TOO_MANY = 429


def refused_invite(cast: Everybody) -> Any:
    """Bo's group of three, to which Elsa has declined an invite."""
    for friend in (cast.omer, cast.alva):
        become_friends(cast.bo, friend)
    group = cast.bo.group(cast.omer, cast.alva)
    invite = cast.bo.invite(group, cast.elsa).json()["invite"]
    assert cast.elsa.answer(invite, accept=False).status_code == 200
    return group


def test_a_declined_invite_is_not_sent_again_by_any_way(cast: Everybody) -> None:
    group = refused_invite(cast)
    assert code_of(cast.bo.invite(group, cast.elsa)) == DECLINED
    added = cast.bo.do(group, "add_member", targetUsername=cast.elsa.username)
    assert code_of(added) == DECLINED
    other = cast.bo.group(cast.omer)
    assert code_of(cast.bo.invite(other, cast.elsa)) == DECLINED
    made = new_group(cast.bo, cast.elsa, cast.omer, groupName="Kom till bron")
    assert code_of(made) == DECLINED
    assert cast.elsa.username in str(made.json()["fields"]["members"])
    assert cast.elsa.invites() == []
    assert "Kom till bron" not in own_lists(cast.omer)  # nothing was made


def test_an_accomplice_does_not_repeat_it(cast: Everybody, later: Later) -> None:
    group = refused_invite(cast)
    made = cast.bo.do(group, "transfer_admin", targetUsername=cast.alva.username)
    assert made.status_code == 200
    assert code_of(cast.alva.invite(group, cast.elsa)) == DECLINED
    with later(cast.alva, days=29):
        assert code_of(cast.alva.invite(group, cast.elsa)) == DECLINED
    with later(cast.alva, days=31):
        assert cast.alva.invite(group, cast.elsa).status_code == 201


def test_another_group_may_be_offered_after_a_day(cast: Everybody, later: Later) -> None:
    refused_invite(cast)
    other = cast.bo.group(cast.omer)
    with later(cast.bo, hours=25):
        assert cast.bo.invite(other, cast.elsa).status_code == 201


def test_an_invite_keeps_the_name_that_it_was_sent_with(cast: Everybody) -> None:
    become_friends(cast.bo, cast.omer)
    group = cast.bo.group(cast.omer, groupDescription="Kom till bron")
    cast.bo.invite(group, cast.elsa)
    for number in range(3):
        name = {"groupName": f"Vi tar dig {number}", "groupDescription": "Kom till bron"}
        assert cast.bo.do(group, "rename", **name).status_code == 200
    shown = cast.elsa.get(INVITES).content.decode()
    assert cast.elsa.invites()[0]["groupName"] == "Ugglorna"
    assert "Vi tar dig" not in shown
    assert "Kom till bron" not in shown


def test_only_thirty_invites_an_hour_by_all_ways_together(cast: Everybody) -> None:
    strangers = [account.username for account in pupils(40)]
    become_friends(cast.bo, cast.omer)
    group = cast.bo.group(cast.omer)

    def made(*names: str) -> int:
        body = {"type": "group", "groupName": "Ugglorna", "members": [*names]}
        return int(cast.bo.post("/api/conversations", body).status_code)

    assert made(*strangers[:20]) == 201
    assert made(*strangers[20:25]) == 201
    body = {"conversationId": group["id"], "targetUsername": strangers[25]}
    sent = cast.bo.post(INVITES, body)
    assert sent.status_code == 201
    # Withdrawing gives nothing back.
    assert cast.bo.delete(f"{INVITES}?inviteId={sent.json()['invite']['id']}").status_code == 200
    for name in strangers[26:30]:
        join = {"action": "add_member", "targetUsername": name}
        answer = cast.bo.patch(f"/api/conversations/{group['id']}", join)
        assert answer.status_code in (200, 201), answer.content
    assert made(strangers[30]) == TOO_MANY
    assert cast.bo.post(INVITES, body | {"targetUsername": strangers[30]}).status_code == TOO_MANY
    refused = cast.bo.do(group, "add_member", targetUsername=strangers[30])
    assert refused.status_code == TOO_MANY
    assert int(refused["Retry-After"]) > 0


def test_one_person_is_invited_five_times_a_day_by_all_ways_together(cast: Everybody) -> None:
    """Each invite can have another text."""
    become_friends(cast.bo, cast.omer)
    group = cast.bo.group(cast.omer)

    def withdraw() -> None:
        for each in cast.elsa.invites():
            path = f"{INVITES}?inviteId={each['id']}"
            assert cast.bo.delete(path).status_code == 200
        assert cast.elsa.invites() == []

    for _ in range(2):
        assert cast.bo.invite(group, cast.elsa).status_code == 201
        # What is refused is not counted.
        assert code_of(cast.bo.invite(group, cast.elsa)) == (409, "already_asked")
        withdraw()
    for _ in range(2):
        added = cast.bo.do(group, "add_member", targetUsername=cast.elsa.username)
        assert added.status_code == 200, added.content
        withdraw()
    assert new_group(cast.bo, cast.elsa, groupName="Svara").status_code == 201
    withdraw()
    refused = cast.bo.invite(group, cast.elsa)
    assert (refused.status_code, int(refused["Retry-After"]) > 0) == (TOO_MANY, True)
    added = cast.bo.do(group, "add_member", targetUsername=cast.elsa.username)
    assert added.status_code == TOO_MANY
    assert new_group(cast.bo, cast.alva, cast.elsa, groupName="Svara").status_code == TOO_MANY
    assert (cast.elsa.invites(), cast.alva.invites()) == ([], [])
    # The group that was not made counts for nobody in it.
    for _ in range(5):
        sent = cast.bo.invite(group, cast.alva)
        assert sent.status_code == 201
        cast.bo.delete(f"{INVITES}?inviteId={sent.json()['invite']['id']}")


def test_one_group_with_more_invites_than_are_left_is_not_made(cast: Everybody) -> None:
    names = [account.username for account in pupils(31)]
    body = {"type": "group", "groupName": "Ugglorna", "members": names}
    assert cast.bo.post("/api/conversations", body).status_code == TOO_MANY
    assert cast.bo.list() == []


def test_only_twenty_new_groups_an_hour(cast: Everybody) -> None:
    become_friends(cast.bo, cast.omer)
    made = [new_group(cast.bo, cast.omer).status_code for _ in range(21)]
    assert made == [201] * 20 + [TOO_MANY]


def test_the_limit_of_messages_holds_over_all_groups(cast: Everybody) -> None:
    become_friends(cast.bo, cast.omer)
    groups = [cast.bo.group(cast.omer) for _ in range(3)]
    sent = [write(cast.bo, groups[number % 3])[0] for number in range(31)]
    assert sent == [201] * 30 + [TOO_MANY]


@pytest.mark.parametrize("kind", ["same", "different"])
def test_reports_are_no_weapon(cast: Everybody, kind: str) -> None:
    """Twenty an hour; the reported person keeps everything and hears nothing."""
    names = [account.username for account in pupils(21)]
    before = own_lists(cast.elsa)
    targets = [cast.elsa.username] * 21 if kind == "same" else names
    statuses = [report(cast.bo, "profile", name).status_code for name in targets]
    assert statuses[20:] == [TOO_MANY]
    assert set(statuses[:20]) <= {200, 201}
    assert own_lists(cast.elsa) == before
    assert cast.elsa.get(f"/api/profile/{cast.bo.username}").status_code == 200


def test_a_shared_page_is_reported_without_an_account_five_times_an_hour(cast: Everybody) -> None:
    note = cast.bo.post("/api/notes", {"title": "Kom", "content": "Kom till bron"}).json()["note"]
    token = cast.bo.post(f"/api/notes/{note['id']}/share").json()["token"]
    anybody, path = Caller(), f"/api/notes/shared/{token}/report"
    body = {"reason": "threat", "text": "Det är om mig."}
    assert [anybody.post(path, body).status_code for _ in range(6)] == [201] * 5 + [TOO_MANY]
    assert Caller().post("/api/notes/shared/nonsense/report", body).status_code in (404, TOO_MANY)


def test_who_is_invited_may_report_the_group(cast: Everybody) -> None:
    become_friends(cast.bo, cast.omer)
    group = cast.bo.group(cast.omer, groupName="Vi tar dig")
    assert code_of(report(cast.elsa, "group", group["id"])) == (404, "not_found")
    cast.bo.invite(group, cast.elsa)
    assert report(cast.elsa, "group", group["id"]).status_code == 201


def test_only_a_member_is_named_in_a_report_of_a_group(cast: Everybody) -> None:
    become_friends(cast.bo, cast.omer)
    group = cast.bo.group(cast.omer)
    for person, answer in ((cast.elsa, (404, "not_found")), (cast.bo, (201, ""))):
        named = report(cast.omer, "group", group["id"], username=person.username)
        assert code_of(named) == answer, named.content


def test_a_refused_pupil_stays_out_of_the_list_of_a_group(cast: Everybody) -> None:
    group = refused_invite(cast)
    people: list[Person] = [cast.bo, cast.omer, cast.alva]
    for person in people:
        assert cast.elsa.username not in person.sees(group)["participants"]
