"""Lunch, subject rooms and assignments in every form of JSON, over a real socket."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from tests.upstream.conftest import SCHOOL
from tests.upstream.raw_server import RawServer, always, http, in_turn
from upstream.calls import assignments, subjects
from upstream.calls.lunch import fetch_lunch, read_days
from upstream.client import UpstreamClient
from upstream.errors import (
    NotForThisRole,
    SessionDead,
    UpstreamChanged,
    UpstreamInvalid,
    UpstreamNotFound,
)
from upstream.fan_out import gather, value_or_empty
from upstream.records import Alternative, Dish, LunchDay, ProvenSession

ALIVE = http(b'{"user":{"id":1}}')
ROW = {"id": 1, "status": "A_NEW_WORD", "odd": [None]}
Fetch = Callable[..., Any]

# Functions that return rows, their arguments, and the end of their paths.
LISTS: list[tuple[Fetch, dict[str, Any], str]] = [
    (subjects.fetch_entities, {"room": 7}, "ps/subjectroom/7/entities"),
    (subjects.fetch_teachers, {"room": 7}, "ps/subjectroom/7/teachers"),
    (subjects.fetch_room_rows, {"room": 7}, "ps/subjectroom/7/table/rows"),
    (subjects.fetch_examinations, {"room": 7}, "ps/assignments/examinations?activityId=7"),
    (subjects.fetch_submissions, {"room": 7}, "ps/assignments/submissions?activityId=7"),
    (
        assignments.fetch_week_assignments,
        {"week": 53, "year": 2026},
        "ps/assignments/start-page?week=53&year=2026",
    ),
]
PARTS: list[tuple[Fetch, dict[str, Any], str]] = [
    (assignments.fetch_sections, {"assignment": 7}, "ps/assignments/7/sections"),
    (
        assignments.fetch_connected_plannings,
        {"assignment": 7},
        "ps/assignments/7/connected_plannings",
    ),
    (
        assignments.fetch_columns,
        {"assignment": 7},
        "ps/assignment/7/assessment/grid/available-columns",
    ),
    (
        assignments.fetch_selected_criteria,
        {"grade_type": 77, "section": 7},
        "ps/grade_subject/77/grade_criteria/7/selected",
    ),
    (
        assignments.fetch_selected_criteria,
        {"grade_type": None, "section": 7},
        "ps/grade_subject/grade_criteria/7/selected",
    ),
    (assignments.fetch_planning_tabs, {"planning": 7}, "ps/plannings/7/planning_parts/tabs"),
    (assignments.fetch_part_sections, {"part": 7}, "ps/planning_parts/7/sections"),
]
OBJECTS: list[tuple[Fetch, dict[str, Any], str]] = [
    (assignments.fetch_assessment, {"assignment": 7}, "ps/assignment/7/assessment"),
    (assignments.fetch_planning_part, {"part": 7}, "ps/planning_parts/7/view"),
]
VIEWS: list[tuple[Fetch, dict[str, Any], str]] = [
    (assignments.fetch_assignment, {"assignment": 7}, "ps/assignments/7/view"),
    (assignments.fetch_planning, {"planning": 7}, "ps/plannings/7/view"),
]


@pytest.fixture
def call(client: UpstreamClient, server: RawServer, web: ProvenSession) -> Fetch:
    def call(fetch: Fetch, body: object = None, **options: Any) -> Any:
        if body is not None:
            server.script = always(http(body if isinstance(body, bytes) else dumps(body)))
        return fetch(client, web=web, **options)

    return call


def dumps(body: object) -> bytes:
    return json.dumps(body).encode()


@pytest.mark.parametrize(("fetch", "options", "path"), LISTS + PARTS)
def test_rows_are_read_in_every_known_form(
    call: Fetch, server: RawServer, fetch: Fetch, options: dict[str, Any], path: str
) -> None:
    assert call(fetch, [ROW], **options) == [ROW]
    assert server.targets == [f"/{SCHOOL}/rest-api/student/{path}"]
    assert call(fetch, {"a": ROW, "b": None, "c": 7}, **options) == [ROW]
    for nothing in (b"", b"[]", b"{}", b'{"a":null}'):
        assert call(fetch, nothing, **options) == []
    if fetch is not subjects.fetch_teachers:  # null is a known form of nobody
        with pytest.raises(UpstreamChanged):
            call(fetch, b"null", **options)


@pytest.mark.parametrize(("fetch", "options", "_path"), LISTS + PARTS)
def test_rows_without_an_object_are_invalid(
    call: Fetch, fetch: Fetch, options: dict[str, Any], _path: str
) -> None:
    responses: list[object] = [{"status": 500, "message": "Internal error"}, {"a": None, "b": []}]
    if fetch is not assignments.fetch_columns:  # a list of anything
        responses += [[1, "x"], [[]], [None, False]]
    for response in responses:
        with pytest.raises(UpstreamInvalid):
            call(fetch, response, **options)


@pytest.mark.parametrize(("fetch", "options", "_path"), LISTS)
def test_scalars_are_invalid_and_404_is_not_found(
    call: Fetch, server: RawServer, fetch: Fetch, options: dict[str, Any], _path: str
) -> None:
    assert call(fetch, [1, "x", None, [], ROW], **options) == [ROW]
    with pytest.raises(UpstreamInvalid):
        call(fetch, b'"rows"', **options)
    server.script = always(http(status=404))
    with pytest.raises(UpstreamNotFound):
        call(fetch, **options)


@pytest.mark.parametrize(("fetch", "options", "_path"), PARTS + OBJECTS)
def test_a_part_that_is_missing_or_forbidden_is_empty(
    call: Fetch,
    client: UpstreamClient,
    server: RawServer,
    fetch: Fetch,
    options: dict[str, Any],
    _path: str,
) -> None:
    part = partial(call, fetch, **options)
    for script in (always(http(status=404)), in_turn(http(status=403), ALIVE)):
        server.script = script
        [found] = gather(client, SCHOOL, [part])
        assert value_or_empty(found, []) == []
    server.script = always(http(status=403))
    with pytest.raises(SessionDead):
        part()


@pytest.mark.parametrize(("fetch", "options", "path"), OBJECTS + VIEWS)
def test_an_object_is_returned_unchanged(
    call: Fetch, server: RawServer, fetch: Fetch, options: dict[str, Any], path: str
) -> None:
    assert call(fetch, ROW, **options) == ROW
    assert server.targets == [f"/{SCHOOL}/rest-api/student/{path}"]
    with pytest.raises(UpstreamInvalid):
        call(fetch, [ROW], **options)


@pytest.mark.parametrize(("fetch", "options", "_path"), VIEWS)
def test_a_view_that_is_missing_forbidden_or_empty_is_not_found(
    call: Fetch, server: RawServer, fetch: Fetch, options: dict[str, Any], _path: str
) -> None:
    for script in (
        always(http(status=404)),
        in_turn(http(status=403), ALIVE),
        always(http(b"")),
        always(http(b"{}")),
    ):
        server.script = script
        with pytest.raises(UpstreamNotFound):
            call(fetch, **options)


# --- Rooms ---------------------------------------------------------------------------------------


def test_rooms_have_a_number_and_a_subject_or_are_dropped(call: Fetch) -> None:
    rooms = [
        {"activityId": 1204, "subject": "Matematik", "groupNames": None, "new": 1},
        {"activityId": "1231", "name": "Slöjd"},
        {"activityId": None, "subject": "x"},
        {"activityId": "12x"},
        {"subject": "y"},
    ]
    assert call(subjects.fetch_rooms, rooms) == [
        rooms[0],
        {"activityId": 1231, "name": "Slöjd", "subject": "Slöjd"},
    ]
    assert call(subjects.fetch_rooms, b"") == []


def test_a_room_that_is_forbidden_for_the_role_is_not_for_this_role(
    call: Fetch, server: RawServer
) -> None:
    server.script = in_turn(http(status=403), ALIVE)
    with pytest.raises(NotForThisRole):
        call(subjects.fetch_rooms)


def test_a_room_has_its_number_and_subject(call: Fetch) -> None:
    room = {"activityId": "7", "subject": "Bild"}
    assert call(subjects.fetch_room, room, room=7) == {"activityId": 7, "subject": "Bild"}
    assert call(subjects.fetch_room, {"name": "Bild"}, room=7)["activityId"] == 7
    for nothing in (b"", b"{}"):
        with pytest.raises(UpstreamNotFound):
            call(subjects.fetch_room, nothing, room=7)


@pytest.mark.parametrize(
    ("body", "count"),
    [
        (b"3", 3),
        (b'"3"', 3),
        (b'" 3 "', 3),
        (b'{"assignments":2,"plannings":1,"results":0,"sum":3}', 3),
        (b'{"sum":"4","assignments":1}', 4),
        (b'{"assignments":2,"plannings":"1","results":null}', 3),
        (b'{"sum":null,"results":5}', 5),
        (b"{}", 0),
        (b"", 0),
        (b"null", 0),
        (b"-1", 0),
        (b"1.5", 0),
        (b"true", 0),
        (b'"many"', 0),
        (b"[3]", 0),
    ],
)
def test_the_unread_count_is_read_in_every_known_form(call: Fetch, body: bytes, count: int) -> None:
    assert call(subjects.fetch_unread, body, room=7) == count


def test_each_teacher_is_listed_once(call: Fetch) -> None:
    ekvik = {"id": 902, "firstName": "Torbjörn", "lastName": "Ekvik", "role": None}
    nameless = {"firstName": "Åsa", "lastName": None}
    teachers = [ekvik, nameless, {**ekvik, "id": "902", "role": "Mentor"}, dict(nameless)]
    assert call(subjects.fetch_teachers, teachers, room=7) == [ekvik, nameless]


# --- Lunch ---------------------------------------------------------------------------------------


def test_the_menu_of_a_week_is_read(
    client: UpstreamClient, server: RawServer, web: ProvenSession
) -> None:
    dish = {"dishType": " Dagens lunch", "dish": "Kåldolmar \r\n\r\nVegetarisk\r\nLinsbiffar\r\n"}
    server.script = always(http(dumps([{"dayId": 2, "dishes": [dish]}, {"dayId": "1"}])))
    assert fetch_lunch(client, web=web, week=11) == [
        LunchDay(1, ()),
        LunchDay(
            2,
            (
                Dish(
                    "Dagens lunch",
                    "Kåldolmar \n\nVegetarisk\nLinsbiffar",
                    (Alternative(None, "Kåldolmar"), Alternative("Vegetarisk", "Linsbiffar")),
                ),
            ),
        ),
    ]
    assert server.targets == [f"/{SCHOOL}/rest-api/lunchmenu/week/11"]


@pytest.mark.parametrize(
    "found",
    ["", [], {}, {"days": [1]}, {"weekDay": {"x": 1}}, [{"dayId": 0}], [{"dayId": 8}], [[], 7]],
)
def test_menus_of_an_unknown_form_are_empty(found: object) -> None:
    assert read_days(found) == []


@pytest.mark.parametrize(
    "dishes", [None, 7, "x", [], [None], [{"dish": None}], [{"dish": " \r\n"}], {"dishType": "Veg"}]
)
def test_a_day_without_a_dish_is_kept(dishes: object) -> None:
    assert read_days([{"dayId": 1, "dishes": dishes}]) == [LunchDay(1, ())]


def test_a_repeated_day_is_one_day() -> None:
    rows = [{"dayId": 1, "dishes": {"0": {"dish": "A"}}}, {"dayId": 1, "dishes": [{"dish": "B"}]}]
    [day] = read_days(rows)
    assert [dish.dish for dish in day.dishes] == ["A", "B"]


def test_every_path_with_a_role_uses_the_segment_of_the_role(
    client: UpstreamClient, server: RawServer, web: ProvenSession
) -> None:
    subjects.fetch_rooms(client, web=replace(web, role="guardian"))
    subjects.fetch_rooms(client, web=replace(web, role="teacher"))
    assert [target.split("/")[3] for target in server.targets] == ["parent", "teacher"]
