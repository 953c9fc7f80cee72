"""A grade as a card in a message, built from what upstream shows its owner."""

from typing import Any

import pytest

from accounts import callers
from accounts.cookies import read_credential
from accounts.services.identity import identify
from schoolproxy.services.cards import _grade, _points, _words, build_grade_card
from tests.conftest import Caller, signed_in
from tests.schoolproxy.test_assignment import assignment_of
from upstream.errors import UpstreamFailing, UpstreamNotFound
from upstream.simulator.server import Simulator


def caller_of(client: Caller) -> callers.Caller:
    """The `Caller` that a view would get for this client."""
    cookies = "; ".join(f"{name}={one.value}" for name, one in client.http.cookies.items())
    credential = read_credential(authorization="", cookie=cookies)
    assert credential is not None
    return identify(credential, address="127.0.0.1")


def card(client: Caller, assignment: Any) -> dict[str, Any]:
    return build_grade_card(caller_of(client), assignment)


def test_it_has_the_grade_of_the_schools_system(elsa: Caller, simulator: Simulator) -> None:
    test = assignment_of(simulator, 0)
    built = card(elsa, test.id)
    assert built.pop("sharedAt") > 1_700_000_000_000
    assert built == {
        "type": "grade",
        "assignmentId": str(test.id),
        "assignmentTitle": test.title,
        "subjectName": test.subject,
        "assignmentType": "Prov",
        "grade": "C",
        "confidence": "confirmed",
        "totalPoints": "18.5 / 26",
    }


def test_missing_values_are_null(elsa: Caller, simulator: Simulator) -> None:
    homework = assignment_of(simulator, 2)  # homework has no assessment
    built = card(elsa, str(homework.id))
    assert (built["assignmentId"], built["assignmentTitle"]) == (str(homework.id), homework.title)
    assert (built["grade"], built["confidence"], built["totalPoints"]) == (None, None, None)
    for fault in ("404", "403", "empty"):
        simulator.state.settings.set("missing_parts", fault)
        built = card(elsa, assignment_of(simulator, 0).id)
        assert (built["grade"], built["totalPoints"]) == (None, None)


def test_nobody_can_share_a_grade_that_they_cannot_read(
    elsa: Caller, zoe: Caller, simulator: Simulator
) -> None:
    hers = assignment_of(simulator, 0).id
    for client, number in ((zoe, hers), (elsa, 999_999_999), (elsa, "x"), (elsa, -1), (elsa, True)):
        with pytest.raises(UpstreamNotFound):
            card(client, number)


def test_an_upstream_failure_is_raised(elsa: Caller, simulator: Simulator) -> None:
    for part in ("assignment", "assignment.assessment"):
        simulator.faults.set(part, "500")
        with pytest.raises(UpstreamFailing):
            card(elsa, assignment_of(simulator, 0).id)
        simulator.faults.clear()


def test_it_takes_two_calls(elsa: Caller, simulator: Simulator) -> None:
    caller = caller_of(elsa)
    simulator.requests.clear()
    build_grade_card(caller, assignment_of(simulator, 0).id)
    assert len(simulator.requests) == 2


NOT_ASSESSED = {"levelEnum": "NOT_ASSESSED", "value": None, "description": ""}


def test_what_was_not_assessed_makes_no_grade_uncertain(elsa: Caller, bo: Caller) -> None:
    """Of a pupil's results, those with a C and a criterion that was not assessed."""
    confidences = set()
    for result in elsa.get("/api/results?limit=50").json()["results"]:
        number = result["assignmentId"]
        tabs = elsa.get(f"/api/assignment/{number}").json()["assessment"]["assessedCriteriaTabs"]
        criteria = [criterion for tab in tabs for criterion in tab["assessedCriteria"]]
        words = [criterion["level"]["levelEnum"] for criterion in criteria]
        if words == ["MEET_C_LEVEL", "NOT_ASSESSED"]:
            built = elsa.post("/api/conversations", {"targetUsername": "bo.ek"}).json()
            path = f"/api/conversations/{built['conversation']['id']}/messages"
            answer = elsa.post(path, {"shareCard": {"type": "grade", "assignmentId": number}})
            shown = answer.json()["message"]["shareCard"]
            confidences.add((shown["grade"], shown["confidence"]))
            assert [level["level"] for level in result["levels"]] == ["C"]
    assert confidences == {("C", "confirmed")}


def tabs(*levels: Any) -> list[Any]:
    return [{"assessedCriteria": [{"level": level} for level in levels]}]


def level(letter: str) -> dict[str, Any]:
    """As upstream sends it."""
    return {"levelEnum": f"MEET_{letter}_LEVEL", "value": 7, "description": f"Meets {letter} level"}


@pytest.mark.parametrize(
    ("given", "grade"),
    [
        ([], (None, None)),
        (tabs(level("C")), ("C", "confirmed")),
        (tabs(level("C"), None) + tabs(level("C")), ("C", "confirmed")),
        (tabs(level("E"), level("A"), level("C")), ("C", "estimated")),
        (tabs(level("A"), level("C")), ("C", "estimated")),
        (tabs(level("A"), level("A"), level("C")), ("A", "estimated")),
        (tabs(level("C"), {"levelEnum": "ON_THE_WAY"}), ("C", "estimated")),
        (tabs(level("C"), NOT_ASSESSED), ("C", "confirmed")),
        (tabs(NOT_ASSESSED), (None, None)),
        (tabs({"levelEnum": "MEET_E_LEVEL", "description": "Relativt väl"}), ("E", "confirmed")),
        (tabs({"levelEnum": None, "description": "meet B level"}), ("B", "confirmed")),
        (tabs({"levelEnum": "F"}), ("F", "confirmed")),
        (tabs({"levelEnum": "MEET_C_LEVEL\x00\n\ud800"}), ("C", "confirmed")),
        (tabs({"levelEnum": "MEET_ALL_LEVELS", "description": "En hel mening"}), (None, None)),
        (tabs(None, "C", 3, [], {}, {"levelEnum": 3}), (None, None)),
        ([None, "C", {"assessedCriteria": None}, {"assessedCriteria": ["C"]}], (None, None)),
    ],
)
def test_a_grade_is_a_letter_of_the_levels(given: list[Any], grade: tuple[str, str]) -> None:
    assert _grade(given) == grade


@pytest.mark.parametrize(
    ("moments", "total"),
    [
        ([], None),
        ([(11, 16), (7.5, 10)], "18.5 / 26"),
        ([(0, 5)], "0 / 5"),
        ([(0.1, 1), (0.2, 1)], "0.3 / 2"),
        ([(5, 10), (None, 20), ("3", 1), (True, 1), ([], 1), ({}, 1)], "5 / 10"),
        ([(5, 10), (3, None)], "8"),
        ([(100, 200)], "100 / 200"),
        ([(5, 0)], "5"),
        ([(None, 5)], None),
        ([(-5, 5)], None),
        ([(1e300, 5)], None),
    ],
)
def test_points_are_added_up(moments: list[Any], total: str | None) -> None:
    rows = [{"points": points, "max": most} for points, most in moments]
    assert _points([*rows, None, {}, "x"]) == total


def test_a_long_title_is_cut() -> None:
    assert _words("å" * 200) == "å" * 119 + "…"
    assert (_words("  "), _words(7), _words(None)) == (None, None, None)


def test_it_is_part_of_a_message(elsa: Caller, simulator: Simulator) -> None:
    bo = signed_in("bo.ek")
    made = elsa.post("/api/conversations", {"targetUsername": "bo.ek"}).json()
    path = f"/api/conversations/{made['conversation']['id']}/messages"
    test = assignment_of(simulator, 0)
    for number in (str(test.id), test.id):
        body = {"content": "Titta!", "shareCard": {"type": "grade", "assignmentId": number}}
        answer = elsa.post(path, body)
        assert answer.status_code == 201, answer.content
        assert answer.json()["message"]["shareCard"]["grade"] == "C"
    seen = bo.get(path).json()["messages"][0]["shareCard"]
    assert (seen["type"], seen["assignmentTitle"]) == ("grade", test.title)
    for wrong, status in (
        ({}, 400),
        ({"assignmentId": "9999"}, 404),
        ({"assignmentId": f"0{test.id}"}, 404),
    ):
        body = {"content": "Titta!", "shareCard": {"type": "grade"} | wrong}
        assert elsa.post(path, body).status_code == status
    simulator.faults.set("assignment.assessment", "500")
    body = {"content": "Titta!", "shareCard": {"type": "grade", "assignmentId": str(test.id)}}
    assert elsa.post(path, body).status_code == 503
    assert len(bo.get(path).json()["messages"]) == 2
