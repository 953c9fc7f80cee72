"""Each cell of the contact table, over HTTP."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import transaction
from pytest_django.fixtures import Settings

from tests.abuse import contact_table
from tests.abuse.contact_table import TABLE, WAYS, Row, cells
from tests.abuse.people import (
    NOT_FOUND,
    REFUSED,
    ask,
    become_friends,
    block,
    own_lists,
    part,
    report,
    write,
)
from tests.social.cast import Cast, Person, befriend
from tests.social.friend_requests import code_of
from upstream.simulator.server import Simulator

WORDS = "Kom till bron"
SETTINGS: dict[str, dict[str, object]] = {
    "messages from nobody": {"dmPrivacy": "nobody"},
    "messages from friends": {"dmPrivacy": "friends"},
    "not discoverable": {"discoverable": False},
}


@dataclass
class Pair:
    """`who` wants to reach `whom`; `common` is a pupil who is a friend of both."""

    row: Row
    cast: Cast

    @property
    def who(self) -> Person:
        names = {"pupil pupil": ("bo", "zoe"), "adult pupil": ("guardian", "karin")}
        names |= {"pupil adult": ("elsa", "elsa"), "adult adult": ("teacher", "teacher")}
        return self._person(names[f"{self.row.who} {self.row.whom}"])

    @property
    def whom(self) -> Person:
        names = {"pupil": ("elsa", "elsa"), "adult": ("guardian", "karin")}
        return self._person(names[self.row.whom])

    @property
    def common(self) -> Person:
        return self.cast.omer

    def _person(self, names: tuple[str, str]) -> Person:
        found: Person = getattr(self.cast, names[self.row.school == "other"])
        return found

    @property
    def pupil_first(self) -> tuple[Person, Person]:
        """The two in the order in which they may ask for a friendship."""
        asked_by_other = (self.row.who, self.row.whom) == ("adult", "pupil")
        return (self.whom, self.who) if asked_by_other else (self.who, self.whom)

    def settle(self, *, were_friends: bool = False) -> None:
        """Let the relation be that of the row, whatever it was before."""
        if self.row.relation == "friend" and not were_friends:
            become_friends(*self.pupil_first)
        elif self.row.relation == "stranger" and were_friends:
            part(self.whom, self.who)
        elif self.row.relation == "blocking":
            block(self.who, self.whom)
        elif self.row.relation == "blocked":
            block(self.whom, self.who)
        if self.row.setting:
            answer = self.whom.put("/api/profile", SETTINGS[self.row.setting])
            assert answer.status_code == 200, answer.content


def outcome(answer: Any, *refusals: tuple[int, str]) -> str:
    """The word of the table for a response; an unexpected one as it is."""
    code = code_of(answer)
    if code in refusals:
        return "no"
    return "yes" if code[0] in (200, 201) else str(code)


# What the ways begin with, once the two are as the row says.


def settled(pair: Pair) -> None:
    pair.settle()


def old_dm(pair: Pair) -> Any:
    """The conversation that they began as friends."""
    befriend(*pair.pupil_first)
    dm = pair.who.dm(pair.whom)
    pair.who.send(dm, "Hej")
    pair.settle(were_friends=True)
    return dm


def own_group(pair: Pair) -> Any:
    """A group of `who` and a common friend, who is no friend of `whom`."""
    befriend(pair.common, pair.who)
    group = pair.who.group(pair.common)
    pair.settle()
    return group


def group_of_common(pair: Pair) -> Any:
    """A group of `who` and a friend of both, who is its admin."""
    befriend(pair.common, pair.who, pair.whom)
    group = pair.common.group(pair.who)
    assert pair.who.read(group).status_code == 200
    pair.settle()
    return group


def group_with_invite(pair: Pair) -> Any:
    """The same as `own_group`, into which `whom` was invited as a friend."""
    befriend(*pair.pupil_first)
    befriend(pair.common, pair.who)
    group = pair.who.group(pair.common)
    assert pair.who.invite(group, pair.whom).status_code == 201
    pair.settle(were_friends=True)
    return group


# The ways.


def new_dm(pair: Pair, _begun: None) -> str:
    answer = pair.who.post("/api/conversations", {"targetUsername": pair.whom.username})
    return outcome(answer, REFUSED, NOT_FOUND)


def write_in_old_dm(pair: Pair, dm: Any) -> str:
    code = write(pair.who, dm, WORDS)
    return {(201, ""): "yes", REFUSED: "no"}.get(code, str(code))


def answered_dm(pair: Pair, dm: Any) -> str:
    assert write(pair.whom, dm) in {(201, ""), REFUSED}
    code = write(pair.who, dm, WORDS)
    return {(201, ""): "yes", REFUSED: "no"}.get(code, str(code))


def friend_request(pair: Pair, _begun: None) -> str:
    answer = ask(pair.who, pair.whom)
    if answer.status_code == 409:
        return "–"
    return outcome(answer, NOT_FOUND, (403, "request_refused"))


def joined_or_asked(pair: Pair, group: Any) -> str:
    """Whether the other is a member, or has an invite, or neither."""
    if pair.whom.read(group).status_code == 200:
        return "yes"
    waiting = [each["conversationId"] for each in pair.whom.invites()]
    return "asks" if waiting == [group["id"]] else "no"


def invite(pair: Pair, group: Any) -> str:
    said = outcome(pair.who.invite(group, pair.whom), REFUSED, NOT_FOUND)
    happened = joined_or_asked(pair, group)
    return happened if (said == "yes") == (happened != "no") else f"{said}, but {happened}"


def common_friend(pair: Pair, group: Any) -> str:
    answer = pair.common.do(group, "add_member", targetUsername=pair.whom.username)
    said = outcome(answer, (403, "adult_not_known"))
    happened = joined_or_asked(pair, group)
    return happened if (said == "yes") == (happened != "no") else f"{said}, but {happened}"


def rename(pair: Pair, group: Any) -> str:
    renamed = pair.who.do(group, "rename", groupName=WORDS, groupDescription=WORDS)
    assert renamed.status_code == 200, renamed.content
    return "yes" if WORDS in own_lists(pair.whom) else "no"


def display_name(pair: Pair, dm: Any) -> str:
    ask(pair.who, pair.whom)
    assert pair.who.put("/api/profile", {"displayName": WORDS}).status_code == 200
    shown = own_lists(pair.whom) + pair.whom.read(dm).content.decode()
    return "yes" if WORDS in shown else "no"


def presence(pair: Pair, _begun: None) -> str:
    assert pair.whom.patch("/api/presence").status_code == 200
    name = pair.whom.username
    seen = pair.who.get(f"/api/presence?users={name}").json()["presences"][name]
    return {"online": "yes", "offline": "no"}[seen]


def search(pair: Pair, _begun: None) -> str:
    found = pair.who.get(f"/api/users/search?q={pair.whom.username}").json()["users"]
    return "yes" if [one["username"] for one in found] == [pair.whom.username] else "no"


def profile_report(pair: Pair, _begun: None) -> str:
    before = own_lists(pair.whom)
    answer = report(pair.who, "profile", pair.whom.username, text=WORDS)
    assert own_lists(pair.whom) == before  # who is reported hears nothing of it
    return outcome(answer, NOT_FOUND)


# The ways by what they begin with. `typing` needs sockets: see test_contact_typing.py.
TRIED: dict[Callable[[Pair], Any], dict[str, Callable[[Pair, Any], str]]] = {
    settled: {
        "new DM": new_dm,
        "friend request": friend_request,
        "presence": presence,
        "search": search,
        "report": profile_report,
    },
    old_dm: {
        "old DM": write_in_old_dm,
        "old DM, answered": answered_dm,
        "display name": display_name,
    },
    own_group: {"invite": invite},
    group_of_common: {"common friend": common_friend},
    group_with_invite: {"rename": rename},
}


@contextmanager
def undone() -> Iterator[None]:
    """What happens inside begins from the state before, and leaves it as it was."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.mark.parametrize("row", TABLE, ids=str)
def test_everybody_reaches_whom_the_table_says(
    simulator: Simulator, db: None, settings: Settings, row: Row
) -> None:
    settings.RATE_LIMITS = False  # what they have counted does not start again with each way
    pair = Pair(row, Cast())
    assert pair.who.username != pair.whom.username != pair.common.username
    found = {}
    for begin, ways in TRIED.items():
        with undone():
            begun = begin(pair)
            for way, attempt in ways.items():
                with undone():
                    found[way] = attempt(pair, begun)
    expected = cells(row)
    wrong = [
        f"{way}: {word}, not {expected[way]}"
        for way, word in found.items()
        if word != expected[way]
    ]
    assert wrong == []


def test_every_way_is_tried() -> None:
    tried = [way for ways in TRIED.values() for way in ways]
    assert sorted([*tried, "typing"]) == sorted(WAYS)


def test_the_document_shows_this_table() -> None:
    assert contact_table.written() == contact_table.render(), (
        "run: .venv/bin/python -m tests.abuse.contact_table"
    )
