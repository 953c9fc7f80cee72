"""GET /api/results: what the school has published about assignments."""

from typing import Any

import orjson
import pytest

from schoolproxy.services.results import detail_fields
from tests.conftest import Caller, signed_in
from tests.schoolproxy.family import ALVA, BO, outcome
from upstream.calls.results import read_details
from upstream.simulator.assignments.data import find, of_room
from upstream.simulator.classes import class_of
from upstream.simulator.server import Simulator

PATH = "/api/results"


def page(caller: Caller, query: str = "") -> dict[str, Any]:
    answer = caller.get(PATH + query)
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return body


def ids(body: dict[str, Any]) -> list[str]:
    return [result["assignmentId"] for result in body["results"]]


def simulated(simulator: Simulator, username: str) -> list[str]:
    """The ids of what the school has published for this pupil, the newest first."""
    person, today = simulator.state.person("bjorkdalen", username), simulator.state.clock.today()
    own = class_of(person, simulator.state)
    found = [one for index in range(12) for one in of_room(own, index, today)]
    found = [one for one in found if one.is_over(today) and one.index < 2]
    return [str(one.id) for one in sorted(found, key=lambda one: (one.due, one.id), reverse=True)]


def read_all(caller: Caller, limit: int, meanwhile: Any = lambda: None) -> list[str]:
    found: list[str] = []
    cursor = ""
    for _ in range(40):
        body = page(caller, f"?limit={limit}&cursor={cursor}")
        found += ids(body)
        if body["next"] is None:
            return found
        cursor = body["next"]
        meanwhile()
    raise AssertionError(found)


def test_a_page_takes_one_call_for_the_list_and_one_for_each_result(
    elsa: Caller, simulator: Simulator
) -> None:
    expected = simulated(simulator, "elsa.nordvall")
    simulator.requests.clear()
    body = page(elsa, "?limit=6")
    assert ids(body) == expected[:6]
    assert body["incomplete"] == []
    assert simulator.requests.count_operation("results") == 1
    assert simulator.requests.count_operation("assignment.assessment") == 6
    assert [result["unread"] for result in body["results"]] == [True] * 2 + [False] * 4


def test_a_result_has_what_the_teacher_said(elsa: Caller, simulator: Simulator) -> None:
    person = simulator.state.person("bjorkdalen", "elsa.nordvall")
    own = class_of(person, simulator.state)
    shown = page(elsa, "?limit=50")["results"]
    letters = {result["review"]: result["letter"] for result in shown}
    assert letters == {
        "Bra jobbat – fortsätt så!": None,
        "B": "B",
        "Ej närvarande": None,
        None: None,
        "D": "D",
    }
    for result in shown:
        assignment = find(own, int(result["assignmentId"]))
        assert assignment is not None
        assert result["title"] == assignment.title
        assert result["subject"] == assignment.subject.strip()
        assert result["type"] == assignment.kind
        assert result["teacher"] == "Torbjörn Ekvik"
        assert result["publishedAt"] == f"{assignment.due:%Y-%m-%d %H:%M}"
        assert result["comment"] == "Se över enheterna.\nVi tar det på fredag."
        assert result["levels"][0] == {"criterion": assignment.subject.strip(), "level": "C"}
    assert {str(result["points"]) for result in shown} == {
        "{'got': 18.5, 'max': 26}",
        "None",
    }
    others = {level["level"] for result in shown for level in result["levels"][1:]}
    assert others == {"På god väg"}  # and not what was not assessed


@pytest.mark.parametrize(
    ("review", "text", "letter"),
    [
        ("B", "B", "B"),
        ("<p> B&nbsp;</p>", "B", "B"),
        ("<p>F</p>", "F", "F"),
        ("G", "G", None),
        ("b", "b", None),
        ("B+", "B+", None),
        ("A-", "A-", None),
        ("Betyg: A", "Betyg: A", None),
        ("<p>A</p><p>B</p>", "A\nB", None),
        ("Mer än < 3 & <b>bra</b>", "Mer än < 3 & bra", None),
        ("<script>alert(1)</script>", None, None),
        ("&nbsp;", None, None),
    ],
)
def test_a_letter_is_a_review_that_is_nothing_else(
    review: str, text: str | None, letter: str | None
) -> None:
    fields = detail_fields(read_details({"review": review}), "bjorkdalen")
    assert (fields["review"], fields["letter"]) == (text, letter)


def test_pages_have_each_result_once(elsa: Caller, simulator: Simulator) -> None:
    expected = simulated(simulator, "elsa.nordvall")
    assert len(expected) > 14
    assert read_all(elsa, 7) == expected
    assert ids(page(elsa)) == expected[:20]


def test_results_that_come_and_go_meanwhile(elsa: Caller, simulator: Simulator) -> None:
    everything = simulated(simulator, "elsa.nordvall")
    held_back = {int(everything[0]), int(everything[1])}
    simulator.state.unpublished_results = set(held_back)
    gone = int(everything[6])

    def change() -> None:
        simulator.state.unpublished_results = {gone}

    found = read_all(elsa, 5, change)
    assert found == everything[2:]


def test_a_result_that_fails_is_named(elsa: Caller, simulator: Simulator) -> None:
    broken = ids(page(elsa, "?limit=8"))[2]
    simulator.state.broken_assessments.add(int(broken))
    body = page(elsa, "?limit=9")
    assert body["incomplete"] == [broken]
    failing = body["results"][2]
    assert failing["title"]
    assert failing["publishedAt"]
    assert [failing[name] for name in ("review", "letter", "points", "comment")] == [None] * 4
    assert failing["levels"] == []
    assert body["results"][3]["comment"]


def test_a_text_that_nobody_can_read_is_named(elsa: Caller, simulator: Simulator) -> None:
    body = orjson.dumps({"review": "B", "teacherComment": "<b>x</b>" * 30_000})
    headers = {"Content-Type": "application/json"}
    simulator.faults.set("assignment.assessment", "answer", body=body, headers=headers, times=1)
    found = page(elsa, "?limit=1")
    assert found["incomplete"] == ids(found)


@pytest.mark.parametrize("fault", ["500", "404", "403", "200-html", "not-json", "429"])
def test_when_all_details_fail_the_list_remains(
    elsa: Caller, simulator: Simulator, fault: str
) -> None:
    simulator.faults.set("assignment.assessment", fault)
    answer = elsa.get(f"{PATH}?limit=3")
    if fault == "200-html":  # the login page: the session is over
        assert outcome(answer) == (401, "not_signed_in")
        return
    body = answer.json()
    assert body["incomplete"] == ids(body)
    assert len(ids(body)) == 3


def test_at_most_four_details_are_asked_for_at_once(elsa: Caller, simulator: Simulator) -> None:
    elsa.get("/api/features")
    simulator.requests.clear()
    simulator.faults.latency = 0.05
    assert len(ids(page(elsa, "?limit=10"))) == 10
    assert simulator.requests.most_at_once == 4


def test_odd_rows(elsa: Caller, simulator: Simulator) -> None:
    simulator.state.settings.set("results", "odd")
    body = page(elsa, "?limit=50")
    first, second, third, fourth = body["results"][:4]
    assert (first["subject"], second["subject"], fourth["subject"]) == (None, "Kemi, Fysik", None)
    assert (second["teacher"], fourth["type"], fourth["title"]) == (None, None, "")
    assert (third["publishedAt"], third["unread"]) == (None, False)
    assert len(set(ids(body))) == len(ids(body))
    # Homework has no assessment.
    assert body["incomplete"]
    assert all(number.endswith("2") for number in body["incomplete"])


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("?limit=0", "limit"),
        ("?limit=51", "limit"),
        ("?limit=x", "limit"),
        ("?cursor=5", "cursor"),
        ("?cursor=-1-1", "cursor"),
        ("?cursor=1-1-1-1-1-1-1", "cursor"),
        ("?cursor=%D9%A1-1", "cursor"),
    ],
)
def test_another_query_is_400_without_a_call(
    elsa: Caller, simulator: Simulator, query: str, field: str
) -> None:
    answer = elsa.get(PATH + query)
    assert outcome(answer) == (400, "invalid_input")
    assert list(answer.json()["fields"]) == [field]
    assert not simulator.requests.count_operation("results")


def test_a_cursor_that_nobody_gave_is_the_end(elsa: Caller) -> None:
    body = page(elsa, "?cursor=900000-1")
    assert (body["results"], body["next"]) == ([], None)


def test_teachers_are_refused_without_a_call(simulator: Simulator, db: None) -> None:
    torbjorn = signed_in("torbjörn.ekvik")
    torbjorn.get("/api/session")
    simulator.requests.clear()
    assert outcome(torbjorn.get(PATH)) == (403, "not_for_this_role")
    assert len(simulator.requests) == 0


def test_two_children_interleaved(eva: Caller, simulator: Simulator) -> None:
    for child, name in ((BO, "bo.ek"), (ALVA, "alva.lind")) * 2:
        body = page(eva, f"?limit=3&child={child}")
        assert ids(body) == simulated(simulator, name)[:3]
        assert body["child"]["id"] == child
    assert outcome(eva.get(PATH)) == (400, "child_required")
    assert outcome(eva.get(f"{PATH}?child=1")) == (404, "not_found")
