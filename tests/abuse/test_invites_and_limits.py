"""Invites, groups and reports are no way to write to many people, or to one again and again."""

import pytest

from social.models import Case
from tests.abuse.people import become_friends, own_lists, report
from tests.social.cast import INVITES, Cast, pupils
from tests.social.friend_requests import code_of

TOO_MANY = 429


def test_only_thirty_invites_an_hour_by_all_ways_together(cast: Cast) -> None:
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


def test_one_person_is_invited_five_times_a_day_by_all_ways_together(cast: Cast) -> None:
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
    assert cast.bo.new_group(cast.elsa, groupName="Svara").status_code == 201
    withdraw()
    refused = cast.bo.invite(group, cast.elsa)
    assert (refused.status_code, int(refused["Retry-After"]) > 0) == (TOO_MANY, True)
    added = cast.bo.do(group, "add_member", targetUsername=cast.elsa.username)
    assert added.status_code == TOO_MANY
    assert cast.bo.new_group(cast.alva, cast.elsa, groupName="Svara").status_code == TOO_MANY
    assert (cast.elsa.invites(), cast.alva.invites()) == ([], [])
    # The group that was not made counts for nobody in it.
    for _ in range(5):
        sent = cast.bo.invite(group, cast.alva)
        assert sent.status_code == 201
        cast.bo.delete(f"{INVITES}?inviteId={sent.json()['invite']['id']}")


def test_one_group_with_more_invites_than_are_left_is_not_made(cast: Cast) -> None:
    names = [account.username for account in pupils(31)]
    body = {"type": "group", "groupName": "Ugglorna", "members": names}
    assert cast.bo.post("/api/conversations", body).status_code == TOO_MANY
    assert cast.bo.list() == []


@pytest.mark.parametrize("kind", ["same", "different"])
def test_reports_are_no_weapon(cast: Cast, kind: str) -> None:
    """Twenty an hour; the reported person keeps everything and hears nothing."""
    names = [account.username for account in pupils(21)]
    before = own_lists(cast.elsa)
    targets = [cast.elsa.username] * 21 if kind == "same" else names
    statuses = [report(cast.bo, "profile", name).status_code for name in targets]
    assert statuses[20:] == [TOO_MANY]
    assert set(statuses[:20]) <= {200, 201}
    assert own_lists(cast.elsa) == before
    assert cast.elsa.get(f"/api/profile/{cast.bo.username}").status_code == 200


def test_many_reports_of_an_innocent_person_do_nothing_by_themselves(cast: Cast) -> None:
    before = own_lists(cast.elsa)
    for reporter in (cast.bo, cast.alva, cast.omer):
        assert report(reporter, "profile", cast.elsa.username).status_code == 201
    assert own_lists(cast.elsa) == before
    assert cast.omer.get(f"/api/profile/{cast.elsa.username}").status_code == 200
    assert Case.objects.count() == 1
