"""GET /api/profile/{username}: a person's public profile."""

from urllib.parse import quote

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Account
from accounts.services.suspension import suspend_account, unsuspend_account
from tests.conftest import Caller, signed_in
from tests.social.cast import CONVERSATIONS, INVITES, Cast, Person, befriend, part, privacy
from tests.social.friend_requests import ask, block, code_of

ELSA, BO = "elsa.nordvall", "bo.ek"


def path(username: str) -> str:
    return f"/api/profile/{quote(username)}"


def test_a_profile_shows_what_is_public_only(elsa: Caller, bo: Caller) -> None:
    profile = elsa.get(path(BO)).json()["profile"]
    assert profile.keys() == {
        "username", "firstName", "lastName", "schoolName", "userType", "displayName", "realName",
        "bio", "pronouns", "location", "website", "accentColor", "github", "twitter", "instagram",
        "linkedin", "pfpUrl", "coverUrl", "joinedAt", "updatedAt", "contact",
    }  # fmt: skip
    assert (profile["username"], profile["displayName"]) == (BO, "Bo Ek")
    assert (profile["firstName"], profile["lastName"]) == ("Bo", "Ek")


def test_your_own_name_shows_what_others_see(elsa: Caller, bo: Caller) -> None:
    own, others = (one.get(path(ELSA)).json()["profile"] for one in (elsa, bo))
    assert own.pop("contact") == contact(dm=False, friend=False, invite=False)
    assert others.pop("contact") == contact(dm=True, friend=True, invite=True)
    assert own == others


def contact(*, dm: bool, friend: bool, invite: bool) -> dict[str, bool]:
    return {"dm": dm, "friend": friend, "invite": invite}


def test_it_says_what_the_caller_may_begin(elsa: Caller, bo: Caller) -> None:
    """And what it says is what happens."""
    teacher = signed_in("torbjörn.ekvik")
    for caller, name, expected in (
        (teacher, BO, contact(dm=False, friend=False, invite=False)),
        (bo, "torbjörn.ekvik", contact(dm=True, friend=True, invite=True)),
        (elsa, BO, contact(dm=True, friend=True, invite=True)),
    ):
        assert caller.get(path(name)).json()["profile"]["contact"] == expected
        body = {"type": "group", "groupName": "Grupp", "members": [name]}
        tries = {
            "dm": caller.post("/api/conversations", {"targetUsername": name}),
            "friend": ask(caller, name),
            "invite": caller.post("/api/conversations", body),
        }
        assert {what: each.status_code == 201 for what, each in tries.items()} == expected
    # Asked already, and the other accepts by asking; then only writing is left to begin.
    assert not elsa.get(path(BO)).json()["profile"]["contact"]["friend"]
    assert bo.get(path(ELSA)).json()["profile"]["contact"]["friend"]
    assert ask(bo, ELSA).status_code == 200
    assert elsa.get(path(BO)).json()["profile"]["contact"] == contact(
        dm=True, friend=False, invite=True
    )
    assert bo.put("/api/profile", {"dmPrivacy": "nobody"}).status_code == 200
    assert elsa.get(path(BO)).json()["profile"]["contact"] == contact(
        dm=False, friend=False, invite=True
    )


def test_names_of_any_script_and_case_work(elsa: Caller, zoe: Caller) -> None:
    for name in ("zoe.åkerman", "ZOE.Åkerman"):
        assert elsa.get(path(name)).json()["profile"]["username"] == "zoe.åkerman"


@pytest.mark.parametrize("blocker", [ELSA, BO])
def test_a_block_either_way_is_the_same_404_as_nobody(
    elsa: Caller, bo: Caller, blocker: str
) -> None:
    block(elsa, BO) if blocker == ELSA else block(bo, ELSA)
    answers = [elsa.get(path(BO)), bo.get(path(ELSA)), elsa.get(path("nobody.here"))]
    assert {code_of(one) for one in answers} == {(404, "not_found")}
    assert len({one.content for one in answers}) == 1
    assert signed_in("alva.lind").get(path(BO)).status_code == 200


def test_a_suspended_person_is_left_out_until_the_suspension_ends(elsa: Caller, bo: Caller) -> None:
    account = Account.objects.get(username=BO).pk
    suspend_account(account)
    assert code_of(elsa.get(path(BO))) == (404, "not_found")
    unsuspend_account(account)
    assert elsa.get(path(BO)).status_code == 200


@pytest.fixture
def hidden(cast: Cast) -> Person:
    """A pupil of another school than the rest, who does not want to be found."""
    assert cast.zoe.put("/api/profile", {"discoverable": False}).status_code == 200
    return cast.zoe


def test_a_hidden_pupil_of_another_school_is_the_same_404_as_nobody(
    cast: Cast, hidden: Person
) -> None:
    for reader in (cast.elsa, cast.teacher, cast.guardian):
        answers = [reader.get(path(name)) for name in (hidden.username, "nobody.here")]
        assert {code_of(one) for one in answers} == {(404, "not_found")}
        assert len({one.content for one in answers}) == 1
        assert code_of(ask(reader, hidden.username)) == (404, "not_found")
    for reader in (hidden, cast.karin):  # of the same school
        assert reader.get(path(hidden.username)).status_code == 200
    assert hidden.put("/api/profile", {"discoverable": True}).status_code == 200
    assert cast.elsa.get(path(hidden.username)).status_code == 200


def test_nothing_that_names_a_hidden_pupil_tells_them_from_nobody(
    cast: Cast, hidden: Person
) -> None:
    group = cast.elsa.group(cast.bo)
    for name in (hidden.username, "nobody.here"):
        target = {"targetUsername": name}
        told = {
            "dm": cast.elsa.post(CONVERSATIONS, target),
            "group": cast.elsa.post(
                CONVERSATIONS, {"type": "group", "groupName": "Vi", "members": [name, "bo.ek"]}
            ),
            "invite": cast.elsa.post(INVITES, {"conversationId": group["id"]} | target),
            "add": cast.elsa.do(group, "add_member", **target),
            "block": cast.elsa.post("/api/blocks", target),
            "report": cast.elsa.post(
                "/api/reports", {"type": "profile", "id": name, "reason": "spam"}
            ),
        }
        assert {code_of(answer) for answer in told.values()} == {(404, "not_found")}, told


def test_who_knew_a_hidden_pupil_can_report_and_block_them(cast: Cast, hidden: Person) -> None:
    """Hiding protects nobody from those whom they have bothered."""
    report = {"type": "profile", "id": hidden.username, "reason": "bullying"}
    assert ask(hidden, cast.elsa.username).status_code == 201
    assert hidden.delete("/api/friends", {"targetUsername": cast.elsa.username}).status_code == 200
    assert cast.elsa.get(path(hidden.username)).status_code == 404
    assert cast.elsa.post("/api/reports", report).status_code == 201
    for status in (201, 200):
        answer = cast.elsa.post("/api/blocks", {"targetUsername": hidden.username})
        assert answer.status_code == status


def test_an_adult_of_another_school_who_is_not_found_has_a_profile(cast: Cast) -> None:
    assert cast.karin.put("/api/profile", {"discoverable": False}).status_code == 200
    assert cast.elsa.get(path(cast.karin.username)).status_code == 200


def test_who_knows_a_hidden_pupil_reads_the_profile(cast: Cast, hidden: Person) -> None:
    """Whoever has an open request or invite with them, is their friend, or in a group with them."""

    def readable() -> bool:
        return bool(cast.elsa.get(path(hidden.username)).status_code == 200)

    assert ask(hidden, cast.elsa.username).status_code == 201
    assert readable()
    assert hidden.delete("/api/friends", {"targetUsername": cast.elsa.username}).status_code == 200
    assert not readable()
    befriend(hidden, cast.elsa)
    assert readable()
    group = hidden.group(cast.elsa)
    part(hidden, cast.elsa)
    assert readable()
    assert cast.elsa.do(group, "leave").status_code == 200
    assert not readable()
    befriend(hidden, cast.elsa)
    privacy(cast.elsa, "nobody")  # so it is an invite
    hidden.group(cast.elsa)
    (invite,) = cast.elsa.invites()
    part(hidden, cast.elsa)
    assert readable()
    cast.elsa.answer(invite, accept=False)
    assert not readable()


def test_unusual_names_are_not_found(elsa: Caller) -> None:
    for name in ("\0", "a" * 5000, "..", "%", "' or 1=1", "🙂", " "):
        assert code_of(elsa.get(path(name))) == (404, "not_found")


def test_it_costs_few_queries(elsa: Caller, bo: Caller) -> None:
    elsa.get(path(BO))
    with CaptureQueriesContext(connection) as queries:
        elsa.get(path(BO))
    assert len(queries) == 15
