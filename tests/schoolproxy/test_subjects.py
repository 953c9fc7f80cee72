"""GET /api/subjects: all rooms, and the parts of all of them in one more round trip."""

from collections import Counter
from typing import Any

import pytest

from tests.concurrency import crowd
from tests.conftest import Caller
from upstream.simulator.classes import class_of
from upstream.simulator.server import Simulator
from upstream.simulator.subject_rooms.data import rooms_of

PATH = "/api/subjects"
PARTS = ("subjects.entities", "subjects.unread", "subjects.teachers")


def subjects(caller: Caller) -> list[dict[str, Any]]:
    answer = caller.get(PATH)
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return list(body["subjects"])


def test_a_subject_has_upstreams_fields_and_its_parts(elsa: Caller, simulator: Simulator) -> None:
    person = simulator.state.person("bjorkdalen", "elsa.nordvall")
    upstreams = rooms_of(class_of(person, simulator.state), 12)
    found = subjects(elsa)
    assert len(found) == 12
    for room, subject in zip(upstreams, found, strict=True):
        assert room.items() <= subject.items()
        assert subject.keys() - room.keys() == {
            "id",
            "entities",
            "unreadEntities",
            "teachers",
            "incomplete",
        }
        assert subject["id"] == str(room["activityId"])
        assert type(subject["unreadEntities"]) is int
        assert subject["incomplete"] == []


def test_a_room_that_is_not_a_subject_is_listed_with_its_flag(elsa: Caller) -> None:
    flags = {subject["subject"]: subject.get("isSubjectRoom") for subject in subjects(elsa)}
    assert flags["Fritidshem"] is False
    assert flags["Matematik"] is True


def test_entities_are_marked_as_assignment_or_planning(elsa: Caller) -> None:
    entities = [entity for subject in subjects(elsa) for entity in subject["entities"]]
    assert Counter(entity["entityType"] for entity in entities).keys() == {
        "ASSIGNMENT",
        "PLANNING",
    }
    for entity in entities:
        assert (entity["entityType"] == "PLANNING") is bool(entity["planningId"])


def test_html_is_sanitised_and_links_are_absolute(elsa: Caller, simulator: Simulator) -> None:
    texts = [
        entity["description"]
        for subject in subjects(elsa)
        for entity in subject["entities"]
        if entity.get("description")
    ]
    assert texts
    for text in texts:
        assert "class=" not in text
        assert f'href="{simulator.url}/bjorkdalen/right_student_planning.jsp' in text
        assert 'rel="noopener noreferrer"' in text


@pytest.mark.parametrize("shape", ["duplicate", "null"])
def test_each_teacher_is_listed_once(elsa: Caller, simulator: Simulator, shape: str) -> None:
    simulator.state.settings.set("teachers", shape)
    for subject in subjects(elsa):
        numbers = [teacher["id"] for teacher in subject["teachers"]]
        assert len(set(numbers)) == len(numbers)
        assert bool(numbers) is (shape == "duplicate")
        assert subject["incomplete"] == []


def test_a_name_that_upstream_leaves_out_is_an_empty_text(elsa: Caller) -> None:
    (teacher,) = subjects(elsa)[2]["teachers"]
    assert (teacher["lastName"], teacher["role"]) == ("", "")
    assert teacher["firstName"]


def test_a_failing_part_is_named_and_the_others_are_served(
    elsa: Caller, simulator: Simulator
) -> None:
    simulator.state.settings.set("broken_room", 2)
    found = subjects(elsa)
    assert [subject["incomplete"] for subject in found] == [[], [], ["entities"], *([[]] * 9)]
    assert found[2]["entities"] == []
    assert found[2]["teachers"]
    assert type(found[2]["unreadEntities"]) is int


@pytest.mark.parametrize(
    ("operation", "fault", "field", "empty"),
    [
        ("subjects.entities", "403", "entities", []),
        ("subjects.entities", "400", "entities", []),
        ("subjects.unread", "404", "unreadEntities", None),
        ("subjects.teachers", "not-json", "teachers", []),
    ],
)
def test_a_part_that_fails_for_all_rooms_is_named_in_each(
    elsa: Caller, simulator: Simulator, operation: str, fault: str, field: str, empty: object
) -> None:
    simulator.faults.set(operation, fault)
    for subject in subjects(elsa):
        assert subject["incomplete"] == [field]
        assert subject[field] == empty


def test_if_all_parts_fail_it_is_502(elsa: Caller, simulator: Simulator) -> None:
    for operation in PARTS:
        simulator.faults.set(operation, "500")
    answer = elsa.get(PATH)
    assert (answer.status_code, answer.json()["code"]) == (502, "upstream_invalid")


def test_if_upstream_answers_no_part_it_is_503(elsa: Caller, simulator: Simulator) -> None:
    for operation in PARTS:
        simulator.faults.set(operation, "429")
    answer = elsa.get(PATH)
    assert answer.status_code == 503
    assert answer.headers["Retry-After"]


def test_a_401_for_a_part_ends_the_session(elsa: Caller, simulator: Simulator) -> None:
    simulator.faults.set("subjects.teachers", "401", times=1)
    answer = elsa.get(PATH)
    assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")


def test_a_native_apps_session_is_translated_once_more(elsa: Caller, simulator: Simulator) -> None:
    token = Caller().sign_in().json()["token"]
    app = {"Authorization": f"Bearer {token}"}
    assert Caller().get(PATH, **app).status_code == 200
    simulator.state.kill_web_sessions(simulator.state.person("bjorkdalen", "elsa.nordvall"))
    assert Caller().get(PATH, **app, **{"Cache-Control": "no-cache"}).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_all_parts_of_all_rooms_are_fetched_in_parallel(elsa: Caller, simulator: Simulator) -> None:
    elsa.get("/api/session")
    simulator.requests.clear()
    with crowd(1) as start, simulator.faults.hold("subjects.teachers") as held:
        running = start(lambda: elsa.get(PATH).status_code)
        held.wait_for(12)
        held.release()
        assert running.result(10) == 200
    assert len(simulator.requests) == 1 + 3 * 12


@pytest.mark.parametrize("rooms", [0, 1, 20])
def test_any_number_of_rooms_is_allowed(elsa: Caller, simulator: Simulator, rooms: int) -> None:
    simulator.state.settings.set("rooms", rooms)
    found = subjects(elsa)
    assert len(found) == rooms
    assert all(subject["incomplete"] == [] for subject in found)
