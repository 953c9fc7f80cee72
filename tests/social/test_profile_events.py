"""Who receives a new name or picture."""

from pytest_django import DjangoAssertNumQueries

from social.models import Friendship, Membership
from social.services.profiles import profile_recipients
from tests.social.cast import Cast, befriend, befriend_accounts
from tests.social.conftest import OpenSocket, SignIn
from tests.social.factories import account, dm_of, group_of
from tests.social.socket_frames import answers_ping, receive, receive_ready

ELSA, BO, ALVA, OMER, GUN = "elsa.nordvall", "bo.ek", "alva.lind", "ömer.sjölin", "gun.nordvall"


def test_a_new_name_is_published_to_those_who_see_it_only(
    port: int, sign_in: SignIn, open_socket: OpenSocket
) -> None:
    callers = {name: sign_in(name) for name in (ELSA, BO, ALVA, OMER, GUN)}
    befriend_accounts(account(ELSA).pk, account(BO).pk)
    group_of(ALVA, ELSA)
    group_of(OMER, ALVA)
    sockets = {name: open_socket(port, caller) for name, caller in callers.items()}
    for connection in sockets.values():
        receive_ready(connection)

    answer = callers[ELSA].put("/api/profile", {"displayName": "Elsa N"})

    assert answer.status_code == 200, answer.content
    for name in (ELSA, BO, ALVA):
        heard = receive(sockets[name])
        assert heard.pop("pfpUrl") == answer.json()["profile"]["pfpUrl"]
        assert heard == {"type": "profile.updated", "username": ELSA, "displayName": "Elsa N"}
    assert all(answers_ping(sockets[name]) for name in (OMER, GUN))


def test_recipients_of_a_profile_are_found_once_each_in_one_query(
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
    with django_assert_num_queries(1):
        found = profile_recipients(cast.elsa.account_id)
    assert found == sorted(person.account_id for person in (cast.elsa, cast.bo, cast.alva))


def test_without_friends_a_profile_is_published_to_its_own_account(cast: Cast) -> None:
    assert profile_recipients(cast.elsa.account_id) == [cast.elsa.account_id]
