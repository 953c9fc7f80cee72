"""Faults apply to the operation that they name, for every operation of the school's data."""

import pytest

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
    simulator.faults.set(operation, "429")
    assert client.open(cookies, path).status_code == 429
