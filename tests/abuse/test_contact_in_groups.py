"""Each cell of the table of groups, over HTTP."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

import pytest
from django.db import transaction
from pytest_django.fixtures import Settings

from tests.abuse import contact_table, group_table
from tests.abuse.group_table import SITUATIONS, TABLE, Row
from tests.abuse.people import REFUSED, become_friends, block, change, part, write
from tests.social.cast import Person, befriend
from upstream.simulator.people import Person as AtSchool
from upstream.simulator.people import Role
from upstream.simulator.server import Simulator

ROLES: dict[str, Role] = {"pupil": "student", "teacher": "teacher", "guardian": "guardian"}
WORDS = "Kom till bron"


class Three:
    """`who` and `whom`, and a pupil who is a friend of both; all of them new at their schools."""

    def __init__(self, simulator: Simulator, settings: Settings, row: Row) -> None:
        self.simulator, self.settings, self.row = simulator, settings, row

    @cached_property
    def who(self) -> Person:
        return self._enrol("kim.hed", 910_001, self.row.who, "bjorkdalen")

    @cached_property
    def whom(self) -> Person:
        school = "bjorkdalen" if self.row.school == "same" else "nyvang"
        return self._enrol("lo.myr", 910_002, self.row.whom, school)

    @cached_property
    def common(self) -> Person:
        return Person("ömer.sjölin", "bjorkdalen")

    def _enrol(self, username: str, user_id: int, kind: str, school: str) -> Person:
        first, last = username.split(".")
        self.simulator.state.schools[school].add(
            AtSchool(school, user_id, username, f"{first}-demo", first, last, ROLES[kind])
        )
        return Person(username, school)

    @property
    def pupil_first(self) -> tuple[Person, Person]:
        """The two in the order in which they may ask for a friendship."""
        return (self.who, self.whom) if self.row.who == "pupil" else (self.whom, self.who)

    def group(self, kind: str) -> Any:
        """A new group of the two, or of all three, of which `who` is the admin."""
        adults = [kind != "pupil" for kind in self.row[:2]]
        if kind != "new role" or adults[0] != adults[1]:
            become_friends(*self.pupil_first)
        if kind == "two":
            return self.who.group(self.whom)
        befriend(self.common, self.who, self.whom)
        if kind == "more":
            return self.who.group(self.whom, self.common)
        group = self.common.group(self.who, self.whom)
        made_admin = self.common.do(group, "transfer_admin", targetUsername=self.who.username)
        assert made_admin.status_code == 200, made_admin.content
        return group

    def happens(self, situation: str) -> None:
        if situation.endswith("friendship ended"):
            part(self.whom, self.who)
        elif situation.endswith("blocked"):
            block(self.whom, self.who)
        elif situation.endswith("blocking"):
            block(self.who, self.whom)
        elif situation == "new role":
            state = self.simulator.state
            new: Role = "teacher" if self.row.who == "pupil" else "student"
            state.change_role(state.person("bjorkdalen", self.who.username), new)
            self.settings.SESSION_CHECK_SECONDS = 0  # the next request meets it
            assert self.who.get("/api/session").json()["role"] == new


@dataclass
class Talk:
    """A group with a message of each of the two, which the other, who is online, has read."""

    group: Any
    answered: Any
    own: Any


def talk(three: Three, kind: str) -> Talk:
    group = three.group(kind)
    talk = Talk(group, three.whom.send(group, "Hej"), three.who.send(group, "Hej"))
    assert three.whom.do(group, "mark_read").status_code == 200
    assert three.whom.patch("/api/presence").status_code == 200
    return talk


@contextmanager
def undone() -> Iterator[None]:
    """What happens inside begins from the state before, and leaves it as it was."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def word_for(three: Three, talk: Talk, situation: str) -> str:
    """What the table calls that which reaches the other; anything unexpected as it is."""
    who, whom, group = three.who, three.whom, talk.group
    three.happens(situation)
    seen = who.read(group)
    if seen.status_code == 404 or whom.username not in seen.json()["conversation"]["participants"]:
        return "apart"
    codes = {
        write(who, group, WORDS),
        change(who, talk.own, "edit", content=WORDS),
        change(who, talk.answered, "add_reaction", emoji="🦉"),
        _code(who.do(group, "rename", groupName=WORDS)),
    }
    notified = whom.get("/api/notifications").json()["notifications"]
    told = any(each["kind"] == "message" and not each["readAt"] for each in notified)
    path = f"/api/presence?users={whom.username}"
    online = who.get(path).json()["presences"][whom.username] == "online"
    written = {(201, ""), (200, "")}
    words = {
        (True, True, True): "yes",
        (False, False, True): "seen",
        (True, False, False): "written",
        (False, False, False): "no",
    }
    assert codes <= written or codes == {REFUSED}, (situation, codes)
    return words.get((codes <= written, told, online), f"told {told}, online {online}")


def _code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")


@pytest.mark.parametrize("row", TABLE, ids=str)
def test_in_a_group_everybody_reaches_whom_the_table_says(
    simulator: Simulator, db: None, settings: Settings, row: Row
) -> None:
    settings.RATE_LIMITS = False  # what they have counted does not start again each time
    three = Three(simulator, settings, row)
    assert three.who.username != three.whom.username != three.common.username
    words = {}
    # The new role comes last: the school does not take it back.
    for kind, situations in groupby(SITUATIONS, lambda situation: situation.partition(",")[0]):
        with undone():
            begun = talk(three, kind)
            for situation in situations:
                with undone():
                    words[situation] = word_for(three, begun, situation)
    assert words == TABLE[row]


def test_the_document_shows_this_table() -> None:
    text = contact_table.DOCUMENT.read_text()
    shown = text.partition(group_table.START)[2].partition(group_table.END)[0]
    assert shown == group_table.render(), "run: .venv/bin/python -m tests.abuse.contact_table"
