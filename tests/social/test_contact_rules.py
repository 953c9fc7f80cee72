"""The rule for contact, for each combination of what it depends on."""

from itertools import product

import pytest
from pytest_django.fixtures import Settings

from accounts.models import Account, Profile
from social.models import Block, Friendship
from social.services.contact import contacts_among
from tests.social.cast import Cast, befriend_accounts, pupils

ROLES = ("student", "teacher")
PRIVACY = ("everyone", "friends", "nobody")
BLOCKS = ("none", "by the sender", "by the other")


@pytest.mark.django_db
@pytest.mark.parametrize("lifted", [False, True])
def test_who_may_write_may_invite_and_the_other_way_round(settings: Settings, lifted: bool) -> None:
    """But for friends who want no messages: they can be invited, and decide."""
    settings.ADULT_DM_PUPIL = lifted
    sender, other = (account.pk for account in pupils(2))
    wrong = []
    for case in product(ROLES, ROLES, (True, False), ("bjorkdalen", "nyvang"), PRIVACY, BLOCKS):
        role, other_role, friends, school, privacy, blocked = case
        Friendship.objects.all().delete(), Block.objects.all().delete()
        Profile.objects.filter(account=sender).update(user_type=role)
        Profile.objects.filter(account=other).update(user_type=other_role, dm_privacy=privacy)
        Account.objects.filter(pk=other).update(school=school)
        if friends:
            befriend_accounts(sender, other)
        if blocked != "none":
            blocker, against = (sender, other) if blocked == "by the sender" else (other, sender)
            Block.objects.create(blocker_id=blocker, blocked_id=against)
        asked = friends or lifted or role == "student" or other_role != "student"
        expected = (
            blocked == "none"
            and privacy != "nobody"
            and (friends or (privacy == "everyone" and school == "bjorkdalen"))
            and asked
        )
        wants_no_messages = friends and privacy == "nobody" and blocked == "none"
        contacts = contacts_among([sender, other])
        answers = (contacts.may_write(sender, other), contacts.may_invite(sender, other))
        if answers != (expected, expected or wants_no_messages):
            wrong.append((case, answers))
    assert wrong == []


@pytest.mark.parametrize(
    ("role", "expected"), [("teacher", (403, "request_refused")), ("student", (201, None))]
)
def test_a_request_is_judged_by_the_stored_role(
    cast: Cast, role: str, expected: tuple[int, str | None]
) -> None:
    """A session can be older than the change of a person's role."""
    asker = cast.bo if role == "teacher" else cast.teacher
    assert asker.get("/api/session").status_code == 200
    Profile.objects.filter(account=asker.account_id).update(user_type=role)
    answer = asker.post("/api/friends", {"targetUsername": cast.elsa.username})
    assert (answer.status_code, answer.json().get("code")) == expected
