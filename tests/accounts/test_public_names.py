"""Public names at a first login: unique to the eye, with an address, and found by no look-alike."""

from collections.abc import Callable
from functools import partial
from urllib.parse import quote

import pytest

from accounts.encryption import keyed_hash
from accounts.models import Account, RetiredName
from accounts.services.accounts import account_by_name
from accounts.services.people import people_named
from accounts.services.usernames import TAKEN_BY_ROUTES
from tests.concurrency import at_once
from tests.conftest import Caller, signed_in
from tests.social_actions import befriend, new_group
from upstream.simulator.people import Person
from upstream.simulator.server import Simulator
from wrapper_project.urls import urlpatterns

SignIn = Callable[..., Caller]


@pytest.fixture
def newcomer(simulator: Simulator, db: None) -> SignIn:
    """Signs somebody in whom only the school knew."""

    def sign_in(username: str, school: str = "bjorkdalen", user_id: int = 999_001) -> Caller:
        name = Person(school, user_id, username, "new-demo", "Ny", "Elev")
        simulator.state.schools[school].add(name)
        caller = Caller()
        body = {"username": username, "password": "new-demo", "school": school}
        answer = caller.post("/api/login", body)
        assert answer.status_code == 200, answer.content
        return caller

    return sign_in


def public_name(caller: Caller) -> str:
    """Their public name, which is the address of their profile and found in a request."""
    name: str = caller.get("/api/profile").json()["profile"]["username"]
    assert caller.get("/api/session").json()["session"]["username"] == name
    answer = caller.get(f"/api/profile/{quote(name, safe='')}")
    assert answer.status_code == 200, name
    assert answer.json()["profile"]["username"] == name
    presences = caller.get(f"/api/presence?users={quote(name, safe='')}").json()["presences"]
    assert list(presences) == [name]
    return name


TWINS = [
    "zoe.a\u030akerman",  # NFD
    "zое.åkerman",  # Cyrillic
    "zoe.åkerman\u200b",
    "\u202ezoe.åkerman",
    "ｚoe.åkerman",
    "zoe․åkerman",
    "ZOE.ÅKERMAN",
]


@pytest.mark.parametrize("twin", TWINS)
def test_a_twin_of_a_name_gets_its_school_then_a_number(
    zoe: Caller, newcomer: SignIn, twin: str
) -> None:
    assert public_name(newcomer(twin)).endswith("@bjorkdalen")
    assert public_name(newcomer(twin, user_id=999_002)).endswith("@bjorkdalen-999002")
    assert public_name(zoe) == "zoe.åkerman"
    assert len(set(Account.objects.values_list("name_key", flat=True))) == 3


def test_a_name_that_looks_different_is_not_changed(zoe: Caller, newcomer: SignIn) -> None:
    assert public_name(newcomer("zoe.akerman")) == "zoe.akerman"
    assert public_name(newcomer("анна.иванова", user_id=999_002)) == "анна.иванова"


def test_upstreams_own_spelling_is_kept_for_signing_in(newcomer: SignIn) -> None:
    spelling = "Bo/\u202eZo\u0308"
    caller = newcomer(spelling)
    assert public_name(caller) == "bo-zö"
    assert caller.get("/api/session").json()["session"]["user"]["userName"] == spelling
    assert caller.cookies["username"] == quote(spelling.lower(), safe="")
    erased = caller.delete("/api/account", {"password": "new-demo"})
    assert erased.status_code == 200, erased.content


@pytest.mark.parametrize(
    ("user_name", "public"),
    [
        ("bo/ek", "bo-ek"),
        ("../ek", "..-ek"),
        ("bo\\ek?a=1#b%2F", "bo-ek-a=1-b-2f"),
        ("bo,ek", "bo-ek"),
        ("b\u200bo\u202e\u2069", "bo"),
        ("..", "user-999001"),
        ("\u3164\u2800\u200b", "user-999001"),
        ("picture", "picture@bjorkdalen"),
        ("bo@example.com", "bo@example.com"),
    ],
)
def test_every_public_name_has_an_address(newcomer: SignIn, user_name: str, public: str) -> None:
    assert public_name(newcomer(user_name)) == public


def test_no_name_is_the_address_of_another_route() -> None:
    routes = [str(each.pattern) for each in urlpatterns]
    below = {
        each.removeprefix("api/profile/") for each in routes if each.startswith("api/profile/")
    }
    assert below - {"<str:username>"} == TAKEN_BY_ROUTES


FOREIGN = ["alva.lind@nyvang", "Alva.Lind＠Nуvang", "alva.lind@nyvang-991002", "alva.lind@nyvang."]
FOREIGN += ["alva.lind@nyvang/1", "alva.lind\u200b@nyv\u00adang", "alva.lind@nyvang@a.example"]


@pytest.mark.parametrize("user_name", FOREIGN)
def test_nobody_gets_a_name_at_another_school(newcomer: SignIn, user_name: str) -> None:
    assert public_name(newcomer(user_name)).endswith("@bjorkdalen")


def test_a_person_gets_the_name_at_their_school_whoever_came_before(newcomer: SignIn) -> None:
    newcomer("alva.lind@nyvang")
    first, second = signed_in("alva.lind", "bjorkdalen"), signed_in("alva.lind", "nyvang")
    assert (public_name(first), public_name(second)) == ("alva.lind", "alva.lind@nyvang")
    assert public_name(newcomer("bo.ek@nyvang", "nyvang")) == "bo.ek@nyvang"


def test_a_look_alike_of_an_erased_name_is_not_given_out(newcomer: SignIn) -> None:
    RetiredName.retire("bo.ek")
    assert public_name(newcomer("bо.ек")) == "bо.ек@bjorkdalen"


def test_a_name_that_was_retired_by_an_older_version_stays_retired(newcomer: SignIn) -> None:
    RetiredName.objects.create(pk=keyed_hash("retired name", "straße"))
    assert public_name(newcomer("straße")) == "straße@bjorkdalen"


def test_both_forms_and_any_case_find_a_person(elsa: Caller, zoe: Caller) -> None:
    for spelling in ("zoe.åkerman", "ZOE.ÅKERMAN", "zoe.a\u030akerman"):
        assert elsa.get(f"/api/profile/{quote(spelling)}").status_code == 200
        assert elsa.post("/api/blocks", {"targetUsername": spelling}).status_code in (200, 201)
        assert elsa.get(f"/api/presence?users={quote(spelling)}").json()["presences"] == {
            spelling: "offline"
        }
        assert list(people_named([spelling])) == ["zoe.åkerman"]
        assert account_by_name(spelling) is not None
        assert elsa.delete("/api/blocks", {"targetUsername": spelling}).status_code == 200


def test_a_look_alike_finds_nobody(elsa: Caller, zoe: Caller) -> None:
    for look_alike in ("zое.åkerman", "zoe\u200b.åkerman", "zoe.akerman"):
        assert elsa.get(f"/api/profile/{quote(look_alike)}").status_code == 404
        assert elsa.post("/api/friends", {"targetUsername": look_alike}).status_code == 404
        assert elsa.post("/api/conversations", {"targetUsername": look_alike}).status_code == 404
        assert account_by_name(look_alike) is None


def test_two_spellings_of_one_name_in_a_request_are_one_member(elsa: Caller, zoe: Caller) -> None:
    befriend(elsa, zoe, ("elsa.nordvall", "zoe.åkerman"))
    group = new_group(elsa, "zoe.åkerman", "zoe.a\u030akerman", "ZOE.ÅKERMAN")
    conversation = elsa.get(f"/api/conversations/{group}").json()["conversation"]
    assert conversation["participants"] == ["elsa.nordvall", "zoe.åkerman"]
    assert elsa.get("/api/group-invites").json()["sent"] == []


def test_twins_who_sign_in_at_once_get_two_names(
    transactional_db: None, simulator: Simulator, newcomer: SignIn
) -> None:
    twins = ["bo.ek", "bо.ек", "ｂo.ek", "bo\u200b.ek"]
    calls = [partial(newcomer, twin, user_id=999_001 + n) for n, twin in enumerate(twins)]
    names = [public_name(caller) for caller in at_once(calls)]
    assert len(set(names)) == len(twins) == Account.objects.count()
    assert sum("@" not in name for name in names) == 1
    assert len(set(Account.objects.values_list("name_key", flat=True))) == len(twins)
