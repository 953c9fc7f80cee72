"""A name does not look like somebody else's, and carries nothing that is not seen."""

from urllib.parse import quote

import pytest

from tests.abuse.people import Everybody, become_friends, code_of, new_group
from tests.social.cast import Person
from upstream.simulator.people import Person as Upstream
from upstream.simulator.server import Simulator

# By their names, because they cannot be seen here.
OVERRIDE, ZERO_WIDTH, JOINER = "\u202e", "\u200b", "\u200d"
FILLER, BLANK_BRAILLE, BOM = "\u3164", "\u2800", "\ufeff"
CYRILLIC_A, CYRILLIC_O = "\u0430", "\u043e"
COMBINING_DOTS = "\u0308"

NOT_SEEN = [
    f"Elsa{OVERRIDE}adroN",
    f"El{ZERO_WIDTH}sa",
    f"El{JOINER}sa",
    "El\x07sa",
    f"{BOM}Elsa",
    ZERO_WIDTH * 2,
]
EMPTY_TO_THE_EYE = [FILLER * 3, BLANK_BRAILLE, f"{FILLER} {BLANK_BRAILLE}"]
NEWCOMER = 910_000


def newcomer(simulator: Simulator, username: str, school: str = "nyvang") -> Person:
    """Somebody new with this user name in the school's system, signed in."""
    password = f"{username.split('.')[0]}-demo"
    number = NEWCOMER + len(simulator.state.schools[school].people)
    person = Upstream(school, number, username, password, "Kim", "Lind", email="kim@school.example")
    simulator.state.schools[school].add(person)
    return Person(username, school)


@pytest.mark.parametrize("name", [*NOT_SEEN, *EMPTY_TO_THE_EYE], ids=ascii)
def test_a_display_name_holds_nothing_that_is_not_seen(cast: Everybody, name: str) -> None:
    answer = cast.bo.put("/api/profile", {"displayName": name})
    assert (answer.status_code, list(answer.json().get("fields", {}))) == (400, ["displayName"])


@pytest.mark.parametrize("name", NOT_SEEN, ids=ascii)
def test_a_group_name_holds_nothing_that_is_not_seen(cast: Everybody, name: str) -> None:
    become_friends(cast.bo, cast.omer)
    made = new_group(cast.bo, cast.omer, groupName=name)
    assert (made.status_code, list(made.json().get("fields", {}))) == (400, ["groupName"])
    renamed = cast.bo.do(cast.bo.group(cast.omer), "rename", groupName=name)
    assert (renamed.status_code, list(renamed.json().get("fields", {}))) == (400, ["groupName"])


def test_an_emoji_keeps_its_joiner(cast: Everybody) -> None:
    family = "👩\N{ZERO WIDTH JOINER}👧 Nordvall"
    answer = cast.elsa.put("/api/profile", {"displayName": family})
    assert answer.status_code == 200, answer.content
    assert answer.json()["profile"]["displayName"] == family


@pytest.mark.parametrize(
    "name",
    ["bo.ek", "Bo.Ek", f"b{CYRILLIC_O}.ek", "ｂｏ.ek"],
    ids=ascii,
)
def test_a_display_name_is_nobody_elses_public_name(cast: Everybody, name: str) -> None:
    assert cast.bo.username == "bo.ek"
    answer = cast.elsa.put("/api/profile", {"displayName": name})
    assert (answer.status_code, list(answer.json().get("fields", {}))) == (400, ["displayName"])


def test_names_may_repeat_and_swedish_letters_are_their_own(cast: Everybody) -> None:
    assert cast.omer.username == "ömer.sjölin"
    for name in ("Bo Ek", "omer.sjolin", "ömer.sjolin", cast.elsa.username):
        answer = cast.elsa.put("/api/profile", {"displayName": name})
        assert answer.status_code == 200, (name, answer.content)


@pytest.mark.parametrize(
    ("real", "imitated"),
    [
        ("omer", f"o{COMBINING_DOTS}mer.sjo{COMBINING_DOTS}lin"),
        ("alva", f"{CYRILLIC_A}lva.lind"),
        ("alva", "ａlva.lind"),
        ("alva", f"alva{ZERO_WIDTH}.lind"),
    ],
    ids=ascii,
)
def test_a_user_name_that_looks_like_another_gets_its_school(
    cast: Everybody, simulator: Simulator, real: str, imitated: str
) -> None:
    first: Person = getattr(cast, real)
    second = newcomer(simulator, imitated)
    assert second.username != first.username
    assert "@nyvang" in second.username
    # It keeps its own spelling for signing in.
    assert Person(imitated, "nyvang").username == second.username


def test_a_user_name_with_the_address_of_another_school_gets_another(
    cast: Everybody, simulator: Simulator
) -> None:
    assert cast.alva.username == "alva.lind"
    real = Person("alva.lind", "nyvang")
    assert real.username == "alva.lind@nyvang"
    imitator = newcomer(simulator, "alva.lind@nyvang", "bjorkdalen")
    assert imitator.username not in {"alva.lind", "alva.lind@nyvang"}
    found = cast.elsa.get(f"/api/profile/{quote('alva.lind@nyvang')}").json()["profile"]
    assert found["schoolName"] == "Nyvångs skola & fritidshem"


def test_every_public_name_has_an_address(cast: Everybody, simulator: Simulator) -> None:
    kim = newcomer(simulator, "kim/lind")
    answer = cast.elsa.get(f"/api/profile/{quote(kim.username, safe='')}")
    assert answer.status_code == 200, (kim.username, answer.content)


def test_what_is_not_seen_is_cut_off_the_ends_of_a_message(cast: Everybody) -> None:
    dm = cast.elsa.dm(cast.bo)
    message = cast.elsa.send(dm, f"{ZERO_WIDTH}Hej{OVERRIDE}")
    assert message["content"] == "Hej"
    path = f"/api/conversations/{dm['id']}/messages"
    empty = cast.elsa.post(path, {"content": f"{ZERO_WIDTH}{OVERRIDE}"})
    assert code_of(empty)[0] == 400
