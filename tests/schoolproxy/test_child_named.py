"""Answers beside the reads that say whose they are, too: feeds, changes, ticks."""

from typing import Any

import pytest

from tests.conftest import Caller, signed_in
from tests.schoolproxy.family import ALVA, BO, NAMES
from tests.schoolproxy.routes import numbers
from upstream.simulator.server import Simulator

FEED = "/api/schedule/feed"


def named(answer: Any) -> Any:
    assert answer.status_code in (200, 201), answer.content
    return answer.json().get("child")


@pytest.mark.parametrize("child", [BO, ALVA])
def test_a_guardians_feed_names_the_child(eva: Caller, child: str) -> None:
    path, wanted = f"{FEED}?child={child}", {"id": child, "name": NAMES[child]}
    assert named(eva.get(path)) == wanted
    assert named(eva.post(path)) == wanted
    assert named(eva.post(path, {"include": ["lessons"]})) == wanted
    assert named(eva.get(path)) == wanted
    assert named(eva.delete(path)) == wanted


def test_the_default_child_is_named(eva: Caller) -> None:
    eva.put("/api/children/default", {"id": ALVA})
    for path in (FEED, "/api/schedule/changes"):
        assert named(eva.get(path)) == {"id": ALVA, "name": NAMES[ALVA]}


@pytest.mark.parametrize("child", [BO, ALVA])
def test_changes_and_ticks_name_the_child(eva: Caller, simulator: Simulator, child: str) -> None:
    wanted = {"id": child, "name": NAMES[child]}
    assert named(eva.get(f"/api/schedule/changes?child={child}")) == wanted
    username = NAMES[child].lower().replace(" ", ".")
    number = numbers(simulator, username)["assignment"]
    for done in (True, True, False, False):
        answer = eva.put(f"/api/assignments/{number}/done?child={child}", {"done": done})
        assert named(answer) == wanted
        assert answer.json()["done"] is done


def test_answers_to_others_name_nobody(elsa: Caller, simulator: Simulator) -> None:
    number = numbers(simulator)["assignment"]
    answers = [
        *(elsa.get(FEED), elsa.post(FEED), elsa.get("/api/schedule/changes"), elsa.delete(FEED)),
        elsa.put(f"/api/assignments/{number}/done", {"done": True}),
        signed_in("torbjörn.ekvik").get(FEED),
    ]
    assert all("child" not in answer.json() for answer in answers)
