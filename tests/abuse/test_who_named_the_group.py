"""Who gave a group its name answers for it, whoever is the admin when it is changed."""

from typing import Any

import pytest

from social.models import Case, GroupTextAuthor, PastMembership
from tests.abuse.people import become_friends, report
from tests.accounts.full_account import columns_and_keys_with, export_of
from tests.social.cast import Cast, Person
from tests.staff.cases import open_case
from tests.staff.conftest import Enter

INSULT, HARMLESS = "Elsa är ful", "Ugglorna"


def rename(person: Person, group: Any, **texts: str) -> None:
    answer = person.do(group, "rename", **texts)
    assert answer.status_code == 200, answer.content


def hand_over(group: Any, giver: Person, taker: Person) -> None:
    """Make somebody else the admin, and leave."""
    answer = giver.do(group, "transfer_admin", targetUsername=taker.username)
    assert answer.status_code == 200, answer.content
    assert giver.do(group, "leave").status_code == 200


def erase(person: Person) -> None:
    assert person.delete("/api/account", {"password": "bo-demo"}).status_code == 200


@pytest.fixture
def group(cast: Cast) -> Any:
    """Alva's group with Bo and Elsa, whom Bo has insulted by its name; Elsa is its admin now."""
    for other in (cast.bo, cast.elsa):
        become_friends(cast.alva, other)
    group = cast.alva.group(cast.bo, cast.elsa, groupName=HARMLESS, groupDescription="Om ugglor")
    answer = cast.alva.do(group, "transfer_admin", targetUsername=cast.bo.username)
    assert answer.status_code == 200, answer.content
    rename(cast.bo, group, groupName=INSULT)
    hand_over(group, cast.bo, cast.elsa)
    return group


def test_staff_see_who_gave_the_texts_and_not_the_admin(
    cast: Cast, group: Any, enter: Enter
) -> None:
    report(cast.alva, "group", group["id"])
    text = open_case(enter()).text()
    assert f"Name {INSULT} the same Who gave the name bo.ek" in text
    assert "Description Om ugglor the same Who gave the description alva.lind" in text
    assert "Admin elsa.nordvall" in text


@pytest.mark.parametrize("renamed", [False, True])
def test_an_invite_says_who_gave_the_name_in_it(
    cast: Cast, group: Any, enter: Enter, renamed: bool
) -> None:
    """Elsa has only sent it."""
    become_friends(cast.elsa, cast.omer)
    invite = cast.elsa.invite(group, cast.omer)
    assert invite.status_code == 201, invite.content
    if renamed:
        rename(cast.elsa, group, groupName=HARMLESS)
    report(cast.omer, "invite", invite.json()["invite"]["id"])
    text = open_case(enter()).text()
    assert INSULT in text
    assert "Who gave the name bo.ek the same" in text


@pytest.mark.parametrize("who", ["admin", "staff"])
def test_a_former_name_is_of_who_gave_it(cast: Cast, group: Any, enter: Enter, who: str) -> None:
    staff = enter()
    if who == "admin":
        rename(cast.elsa, group, groupName=HARMLESS)
    else:
        report(cast.elsa, "group", group["id"])
        open_case(staff).do("remove_group_name")
    report(cast.alva, "group", group["id"])
    text = open_case(staff).text()
    before = text.rpartition("What stood there before")[2]
    assert f"Name {INSULT}" in before
    assert "Who gave the name bo.ek" in before
    assert INSULT not in str(export_of(cast.elsa)["earlier-texts.json"])
    assert INSULT in str(export_of(cast.bo)["earlier-texts.json"])


def test_the_author_is_known_after_an_erasure_and_a_return(
    cast: Cast, group: Any, enter: Enter
) -> None:
    erase(cast.bo)
    report(cast.alva, "group", group["id"])
    rename(cast.elsa, group, groupName=HARMLESS)
    report(cast.elsa, "group", group["id"], username="bo.ek")
    page = open_case(enter())
    assert "Who gave the name changed bo.ek elsa.nordvall" in page.text()
    assert columns_and_keys_with(INSULT) == []
    again = Person("bo.ek", "bjorkdalen")
    assert INSULT in str(export_of(again)["earlier-texts.json"])


def test_who_left_long_ago_and_gave_the_name_can_be_chosen(
    cast: Cast, group: Any, enter: Enter
) -> None:
    PastMembership.objects.all().delete()  # as after fourteen days
    report(cast.alva, "group", group["id"])
    page = open_case(enter())
    assert "bo.ek)</option>" in page.html()


def test_an_author_who_comes_back_is_linked_and_finds_it_in_the_export(
    cast: Cast, group: Any
) -> None:
    (text,) = export_of(cast.bo)["group-texts.json"]
    assert text == {"conversation": group["id"], "text": "name", "content": INSULT}
    erase(cast.bo)
    kept = GroupTextAuthor.objects.get(text="name")
    assert (kept.account_id, kept.public_name, kept.school) == (None, "bo.ek", "bjorkdalen")
    again = Person("bo.ek", "bjorkdalen")
    assert export_of(again)["group-texts.json"] == [text]
    assert not Case.objects.exists()
