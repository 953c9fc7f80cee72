"""Who receives a new name or picture."""

from pytest_django import DjangoAssertNumQueries

from accounts.services.warnings import warn_account
from social.models import Block, Friendship, Membership
from social.services.relations import contacts_of
from tests.social.cast import Cast, befriend, befriend_accounts, block
from tests.social.conftest import Sockets
from tests.social.factories import account, dm_of, group_of
from tests.social.socket_frames import answers_ping, receive

ELSA, BO, ALVA, OMER, GUN = "elsa.nordvall", "bo.ek", "alva.lind", "ömer.sjölin", "gun.nordvall"


def test_a_new_name_is_published_to_those_who_see_it_only(sockets: Sockets) -> None:
    callers = {name: sockets.sign_in(name) for name in (ELSA, BO, ALVA, OMER, GUN)}
    befriend_accounts(account(ELSA).pk, account(BO).pk)
    group_of(ALVA, ELSA, GUN)
    group_of(OMER, ALVA)
    Block.objects.create(blocker=account(GUN), blocked=account(ELSA))
    opened = {name: sockets.ready(caller) for name, caller in callers.items()}

    answer = callers[ELSA].put("/api/profile", {"displayName": "Elsa N"})

    assert answer.status_code == 200, answer.content
    for name in (ELSA, BO, ALVA):
        heard = receive(opened[name])
        assert heard.pop("pfpUrl") == answer.json()["profile"]["pfpUrl"]
        assert heard == {
            "type": "profile.updated",
            "username": ELSA,
            "displayName": "Elsa N",
            "userType": "student",
            "realName": "Elsa Nordvall",
        }
    assert all(answers_ping(opened[name]) for name in (OMER, GUN))


def test_only_the_person_learns_of_a_warning(sockets: Sockets) -> None:
    elsa, bo = sockets.sign_in(ELSA), sockets.sign_in(BO)
    befriend_accounts(account(ELSA).pk, account(BO).pk)
    dm_of(ELSA, BO)
    own, friends = sockets.ready(elsa), sockets.ready(bo)

    warn_account(account(ELSA).pk, text="Do not post other people's pictures.")

    heard = receive(own)
    assert (heard["type"], heard["username"]) == ("profile.updated", ELSA)
    assert "pictures" not in str(heard)
    assert answers_ping(friends)


def test_recipients_of_a_profile_are_found_once_each(
    cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    befriend(cast.elsa, cast.bo, cast.guardian)
    Friendship.objects.filter(low=cast.guardian.account_id).update(status="pending")
    Friendship.objects.filter(high=cast.guardian.account_id).update(status="pending")
    dm_of(ELSA, BO)
    group_of(ELSA, BO, cast.alva.username)
    group_of(ALVA, ELSA)
    left = group_of(ELSA, cast.omer.username)
    Membership.objects.filter(conversation=left, account=cast.elsa.account_id).delete()
    with django_assert_num_queries(5):
        found = contacts_of(cast.elsa.account_id)
    assert found == {person.account_id for person in (cast.elsa, cast.bo, cast.alva)}


def test_a_new_name_does_not_cross_a_block_in_a_group(cast: Cast) -> None:
    elsa, bo, alva, omer = cast.elsa, cast.bo, cast.alva, cast.omer
    group_of(ELSA, BO, ALVA, OMER)
    dm_of(ELSA, OMER)
    block(elsa, bo)
    block(omer, elsa)
    befriend(elsa, omer)  # at the moment of a block
    assert contacts_of(elsa.account_id) == {elsa.account_id, alva.account_id}
    assert contacts_of(bo.account_id) == {bo.account_id, alva.account_id, omer.account_id}


def test_without_friends_a_profile_is_published_to_its_own_account(cast: Cast) -> None:
    assert contacts_of(cast.elsa.account_id) == {cast.elsa.account_id}
