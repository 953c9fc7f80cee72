"""Every general fault works for every operation of the school's data."""

import gzip
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from tests.upstream.simulator.plain_client import PlainClient
from upstream.simulator.faults.script import OPERATIONS
from upstream.simulator.server import Simulator

PS = "/rest-api/student/ps"
STUDENT = "/jsp/student/right_student_"
PATHS = {
    "lunch": "/rest-api/lunchmenu/week/11",
    "lunch.page": f"{STUDENT}lunchmenu.jsp?requestid=11",
    "news": f"{STUDENT}startpage.jsp",
    "news.page": f"{STUDENT}news.jsp?type=1",
    "class": f"{STUDENT}class.jsp",
    "staff": f"{STUDENT}staff.jsp",
    "blocked": f"{STUDENT}app_blocked.jsp",
    "subjects": f"{PS}/subjectroom/all",
    "subjects.room": f"{PS}/subjectroom/41204",
    "subjects.entities": f"{PS}/subjectroom/41204/entities",
    "subjects.unread": f"{PS}/subjectroom/41205/unread_entities",
    "subjects.teachers": f"{PS}/subjectroom/41204/teachers",
    "subjects.rows": f"{PS}/subjectroom/41204/table/rows",
    "subjects.grids": f"{PS}/subjectroom/41204/assignments/grid/rows",
    "subjects.information": f"{PS}/subjectroom/41204/information",
    "subjects.examinations": f"{PS}/assignments/examinations?activityId=41204",
    "subjects.submissions": f"{PS}/assignments/submissions?activityId=41204",
    "assignments": f"{PS}/assignments/start-page?week=11&year=2026",
    "assignment": f"{PS}/assignments/41205830/view",
    "assignment.sections": f"{PS}/assignments/41205830/sections",
    "assignment.plannings": f"{PS}/assignments/41205830/connected_plannings",
    "assignment.assessment": f"{PS}/assignment/41205830/assessment",
    "assignment.columns": f"{PS}/assignment/41205830/assessment/grid/available-columns",
    "assignment.criteria": f"{PS}/grade_subject/77/grade_criteria/412058301/selected",
    "assignment.curriculum": f"{PS}/grade_subject/412058313/central_content",
    "assignment.submission": f"{PS}/submission/412058310?groupwork_id=0",
    "assignment.material": f"{PS}/material/412058302/file",
    "plannings": f"{PS}/planning_parts/start-page?week=11&year=2026",
    "planning": f"{PS}/plannings/412007/view",
    "planning.tabs": f"{PS}/plannings/412007/planning_parts/tabs",
    "planning.part": f"{PS}/planning_parts/4120071/view",
    "planning.sections": f"{PS}/planning_parts/4120071/sections",
    "planning.assignments": f"{PS}/planning_parts/4120071/connected_assignments",
}
TESTED_ELSEWHERE = {
    "login.password",
    "login.token",
    "login.session",
    "login.page",
    "session",
    "schedule",
}
TESTED_ELSEWHERE |= {"lessons", "schools", "child", "child.switch", "traffic"}


def test_every_operation_is_tested() -> None:
    assert set(PATHS) == set(OPERATIONS) - TESTED_ELSEWHERE


@pytest.fixture
def cookies(client: PlainClient) -> str:
    return client.sign_in()


@pytest.mark.parametrize(("operation", "path"), PATHS.items())
def test_a_fault_applies_to_the_operation_it_names(
    simulator: Simulator, client: PlainClient, cookies: str, operation: str, path: str
) -> None:
    good = client.open(cookies, path)
    assert good.status_code == 200
    assert len(good.content) > 2
    assert client.open(cookies, path).content == good.content, "not the same twice"
    assert simulator.requests.count_operation(operation) == 2
    for value in ("500", "401", "403", "404", "429"):
        simulator.faults.set(operation, value)
        assert client.open(cookies, path).status_code == int(value)
    simulator.faults.set(operation, "empty")
    assert client.open(cookies, path).content == b""
    simulator.faults.set(operation, "200-html")
    assert "sspassword" in client.open(cookies, path).text
    simulator.faults.set(operation, "truncated")
    assert client.open(cookies, path).content == good.content[: len(good.content) // 2]
    simulator.faults.set(operation, "gzip")
    assert client.open(cookies, path).content == good.content
    simulator.faults.set(operation, "ok")
    assert client.open(cookies, path).content == good.content


@pytest.mark.parametrize("operation", ["lunch", "news", "class", "subjects.entities"])
def test_connection_faults_apply(
    simulator: Simulator, client: PlainClient, cookies: str, operation: str
) -> None:
    path = PATHS[operation]
    good = client.open(cookies, path).content
    simulator.faults.set(operation, "slow", seconds=0.01)
    assert client.open(cookies, path).content == good
    for value in ("reset", "cut"):
        simulator.faults.set(operation, value)
        with pytest.raises(requests.RequestException):
            client.open(cookies, path)
    simulator.faults.set(operation, "timeout", seconds=5)
    with pytest.raises(requests.Timeout):
        client.get("/bjorkdalen" + path, headers={"Cookie": cookies}, timeout=0.1)
    simulator.faults.set(operation, "drip", seconds=1)
    with pytest.raises(requests.RequestException):
        client.get("/bjorkdalen" + path, headers={"Cookie": cookies}, timeout=0.1)


@pytest.mark.parametrize("operation", ["lunch", "news"])
def test_a_response_can_be_a_gzip_bomb(
    simulator: Simulator, client: PlainClient, cookies: str, operation: str
) -> None:
    simulator.faults.set(operation, "gzip-bomb")
    headers = {"Cookie": cookies}
    path = "/bjorkdalen" + PATHS[operation]
    with client.get(path, headers=headers, stream=True) as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        start = answer.raw.read(1 << 14, decode_content=False)
    assert start[:2] == gzip.compress(b"")[:2]


def test_requests_for_twelve_rooms_can_be_held(
    simulator: Simulator, client: PlainClient, cookies: str
) -> None:
    paths = [f"{PS}/subjectroom/{41204 + index}/entities" for index in range(12)]
    with ThreadPoolExecutor(12) as pool, simulator.faults.hold("subjects.entities") as held:
        waiting = [pool.submit(client.open, cookies, path) for path in paths]
        held.wait_for(12)
        assert not any(answer.done() for answer in waiting)
        held.release()
        assert {answer.result().status_code for answer in waiting} == {200}
    assert simulator.requests.most_at_once >= 12


def test_a_forbidden_response_leaves_the_session_valid(
    simulator: Simulator, client: PlainClient, cookies: str
) -> None:
    simulator.faults.set("assignments", "403")
    assert client.open(cookies, PATHS["assignments"]).status_code == 403
    assert client.session(cookies).status_code == 200
