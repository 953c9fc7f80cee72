"""A guardian with two children, and whose lessons an answer has."""

from dataclasses import replace
from typing import Any

from upstream.simulator.lessons import lessons_of
from upstream.simulator.people import Person
from upstream.simulator.server import Simulator

SCHOOL, GUARDIAN = "bjorkdalen", "eva.ek"
BO, ALVA = "730217", "730216"
NAMES = {BO: "Bo Ek", ALVA: "Alva Lind"}
WEEK = "/api/schedule?week=11"


def week_of(child: str, week: int = 11) -> str:
    return f"/api/schedule?week={week}&child={child}"


def person(simulator: Simulator, name: str = GUARDIAN) -> Person:
    return simulator.state.person(SCHOOL, name)


def change(simulator: Simulator, name: str, **fields: Any) -> None:
    """Change a person of the school system."""
    simulator.state.schools[SCHOOL].add(replace(person(simulator, name), **fields))


def starts_of(simulator: Simulator, child: str, week: int = 11, org_id: int = 41) -> set[Any]:
    """What only the lessons of this child have: their ids."""
    name = NAMES[child].lower().replace(" ", ".")
    pupil = person(simulator, name)
    if org_id != 41:
        pupil = replace(pupil, user_id=pupil.user_id + 100_000 * org_id)
    lessons = lessons_of(pupil, week, simulator.state.clock.today())
    return {lesson["eventId"] for lesson in lessons if "eventId" in lesson}


def assert_about(simulator: Simulator, answer: Any, child: str, *, week: int = 11) -> None:
    """The answer names this child and has lessons of this child only."""
    assert answer.status_code == 200, answer.content
    body = answer.json()
    assert body["child"] == {"id": child, "name": NAMES[child]}
    shown = {lesson["eventId"] for lesson in body["schedule"] if "eventId" in lesson}
    assert shown
    assert shown <= starts_of(simulator, child, week)


def outcome(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")
