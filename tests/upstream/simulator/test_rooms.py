"""Subject rooms: the list with its gaps, and what is in each room."""

from typing import Any

import pytest

from tests.upstream.simulator.plain_client import PlainClient
from upstream.simulator.server import Simulator

PS = "/rest-api/student/ps"
ALL = f"{PS}/subjectroom/all"
BELOW = [
    "",
    "/entities",
    "/unread_entities",
    "/teachers",
    "/table/rows",
    "/assignments/grid/rows",
    "/plannings/grid/rows",
    "/results/grid/rows",
    "/information",
]
OVERVIEWS = ["examinations", "submissions"]


class Rooms:
    """The rooms of a signed-in student."""

    def __init__(self, client: PlainClient) -> None:
        self.client = client
        self.cookies = client.sign_in()

    def every(self) -> list[dict[str, Any]]:
        rooms: list[dict[str, Any]] = self.client.open(self.cookies, ALL).json()
        return rooms

    def ids(self) -> list[int]:
        return [room["activityId"] for room in self.every()]

    def status(self, room: object, below: str = "") -> int:
        path = f"{PS}/subjectroom/{room}{below}"
        return self.client.open(self.cookies, path).status_code

    def below(self, index: int, below: str) -> Any:
        path = f"{PS}/subjectroom/{self.ids()[index]}{below}"
        return self.client.open(self.cookies, path).json()


@pytest.fixture
def rooms(client: PlainClient) -> Rooms:
    return Rooms(client)


def test_a_student_has_twelve_rooms_with_gaps(rooms: Rooms) -> None:
    every = rooms.every()
    assert len(every) == len({room["activityId"] for room in every}) == 12
    assert all(type(room["activityId"]) is int for room in every)
    groups = [room.get("groupNames", "missing") for room in every]
    assert None in groups
    assert [] in groups
    assert "missing" in groups
    assert [room.get("isSubjectRoom") for room in every].count(False) == 1
    assert [room.get("isSubjectRoom") for room in every].count(None) == 1
    assert "" in [room["color"] for room in every]
    assert False in [room["access"] for room in every]
    assert any("&" in room["subject"] for room in every)
    assert any(room["subject"] != room["subject"].strip() for room in every)


@pytest.mark.parametrize("count", [0, 1, 20])
def test_the_setting_decides_the_number_of_rooms(
    simulator: Simulator, rooms: Rooms, count: int
) -> None:
    simulator.state.settings.rooms = count
    assert len(rooms.every()) == count
    assert all(rooms.status(room, "/entities") == 200 for room in rooms.ids())


def test_one_room_is_the_same_as_in_the_list(rooms: Rooms) -> None:
    assert [rooms.below(index, "") for index in (0, 8)] == [rooms.every()[n] for n in (0, 8)]


def test_entities_are_assignments_and_one_planning(rooms: Rooms) -> None:
    entities = rooms.below(0, "/entities")
    *assignments, planning = entities
    assert len(assignments) >= 4
    assert all(one["planningId"] is None and one["assignmentId"] for one in assignments)
    assert planning["planningId"]
    assert "assignmentId" not in planning
    assert {one["activityId"] for one in entities} == {rooms.ids()[0]}
    assert rooms.below(10, "/entities") == []


def test_unread_comes_in_three_forms(simulator: Simulator, rooms: Rooms) -> None:
    shapes = [type(rooms.below(index, "/unread_entities")) for index in range(3)]
    assert shapes == [int, dict, str]
    assert rooms.below(7, "/unread_entities")["sum"] == 4
    for value, shape in (("number", int), ("text", str), ("object", dict)):
        simulator.state.settings.set("unread", value)
        assert isinstance(rooms.below(7, "/unread_entities"), shape)
    simulator.state.settings.unread = "parts"
    assert rooms.below(7, "/unread_entities") == {"assignments": 3, "plannings": 1, "results": 0}


def test_all_rooms_together_have_a_sum(client: PlainClient, rooms: Rooms) -> None:
    answer = client.open(rooms.cookies, f"{PS}/subjectroom/unread_entities").json()
    assert answer["sum"] == answer["assignments"] + answer["plannings"] == 24


def test_teachers_are_repeated_nameless_or_missing(simulator: Simulator, rooms: Rooms) -> None:
    doubled = rooms.below(1, "/teachers")
    assert len(doubled) == 3
    assert doubled[0] == doubled[2] != doubled[1]
    assert rooms.below(2, "/teachers")[0]["lastName"] is None
    assert rooms.below(3, "/teachers") == []
    simulator.state.settings.teachers = "null"
    assert rooms.below(0, "/teachers") is None
    simulator.state.settings.teachers = "duplicate"
    assert len(rooms.below(0, "/teachers")) == 3


def test_one_room_can_have_broken_entities(simulator: Simulator, rooms: Rooms) -> None:
    simulator.state.settings.broken_room = 2
    statuses = [rooms.status(room, "/entities") for room in rooms.ids()]
    assert statuses == [200, 200, 500] + [200] * 9
    assert rooms.status(rooms.ids()[2], "/teachers") == 200


def test_rows_name_their_type_and_omit_fields(rooms: Rooms) -> None:
    rows = rooms.below(0, "/table/rows")
    assert {row["entityType"] for row in rows} == {"ASSIGNMENT", "PLANNING"}
    assert all(row["submissionDate"] is None for row in rows)
    assert any("subTitle" not in row for row in rows)
    grid = rooms.below(0, "/assignments/grid/rows")
    assert all(row["submissionDate"] == "" for row in grid)
    assert {row["planningTitle"] for row in rooms.below(0, "/plannings/grid/rows")} == {""}
    results = rooms.below(0, "/results/grid/rows")
    assert 0 < len(results) < len(grid)
    assert "&auml;" in rooms.below(0, "/information")[0]["information"]


def test_overviews_take_the_room_in_the_query(client: PlainClient, rooms: Rooms) -> None:
    room = rooms.ids()[0]
    rows = {row["assignmentId"]: row for row in rooms.below(0, "/assignments/grid/rows")}
    for name, kind in zip(OVERVIEWS, ("Prov", "Inlämningsuppgift"), strict=True):
        path = f"{PS}/assignments/{name}"
        listed = client.open(rooms.cookies, f"{path}?activityId={room}").json()
        assert listed
        assert {rows[one["id"]]["assignmentType"] for one in listed} == {kind}
        assert client.open(rooms.cookies, path).status_code == 404


@pytest.mark.parametrize("below", BELOW)
def test_a_room_of_another_class_is_forbidden_and_an_unknown_one_not_found(
    simulator: Simulator, client: PlainClient, rooms: Rooms, below: str
) -> None:
    others = client.open(client.sign_in("alva.lind"), ALL).json()[0]["activityId"]
    assert others not in rooms.ids()
    assert rooms.status(others, below) == 403
    simulator.state.settings.foreign = "404"
    assert rooms.status(others, below) == 404
    for unknown in (7, 99_999_999, rooms.ids()[-1] + 1, "x", "-1"):
        assert rooms.status(unknown, below) == 404


@pytest.mark.parametrize("name", OVERVIEWS)
def test_overviews_of_another_room_are_refused(
    client: PlainClient, rooms: Rooms, name: str
) -> None:
    others = client.open(client.sign_in("alva.lind"), ALL).json()[0]["activityId"]
    path = f"{PS}/assignments/{name}?activityId="
    assert client.open(rooms.cookies, f"{path}{others}").status_code == 403
    assert client.open(rooms.cookies, f"{path}7").status_code == 404


def test_a_room_of_another_school_is_not_found(client: PlainClient, rooms: Rooms) -> None:
    nils = client.sign_in("nils.bergqvist", "nyvang")
    theirs = client.open(nils, ALL, "nyvang").json()[0]["activityId"]
    assert rooms.status(theirs) == 404


def test_classmates_share_their_rooms(client: PlainClient, rooms: Rooms) -> None:
    bo = client.open(client.sign_in("bo.ek"), ALL).json()
    assert bo == rooms.every()
