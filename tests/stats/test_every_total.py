"""Requests to the API change every public total."""

from stats.counters import flush
from tests.conftest import Caller
from tests.schoolproxy.test_assignment import assignment_of
from upstream.simulator.server import Simulator


def test_every_total_is_counted(caller: Caller, simulator: Simulator) -> None:
    elsa, bo = caller, Caller()
    elsa.sign_in()
    bo.sign_in("bo.ek")
    Caller().post("/api/login", {"username": "bo.ek", "password": "wrong", "school": "bjorkdalen"})
    for path in ("/api/schedule", "/api/lunch", "/api/news", "/api/assignments/week"):
        assert elsa.get(path).status_code == 200
    assert elsa.get(f"/api/assignment/{assignment_of(simulator, 0).id}").status_code == 200
    note = elsa.post("/api/notes", {"title": "Prov"}).json()["note"]
    assert elsa.patch(f"/api/notes/{note['id']}", {"title": "Omprov"}).status_code == 200
    dm = elsa.post("/api/conversations", {"targetUsername": "bo.ek"}).json()["conversation"]["id"]
    group = {"type": "group", "groupName": "Fysik", "members": ["bo.ek"]}
    assert elsa.post("/api/conversations", group).status_code == 201
    for client_id in ("one", "one", "two"):  # the second is the first again
        sent = elsa.post(
            f"/api/conversations/{dm}/messages", {"content": "Hej", "clientId": client_id}
        )
    message = f"/api/conversations/{dm}/{sent.json()['message']['id']}"
    for _ in range(2):  # adding it twice is adding it once
        assert bo.patch(message, {"action": "add_reaction", "emoji": "🎉"}).status_code == 200
    elsa.post("/api/conversations", {"targetUsername": "bo.ek"})
    flush()
    body = elsa.get("/api/stats").json()
    totals = {name: value for name, value in body.items() if isinstance(value, int)}
    assert totals.pop("totalApiCalls") == 15
    assert totals == {
        "success": True,
        "totalLogins": 2,
        "failedLogins": 1,
        "uniqueLogins": 2,
        "totalMessagesSent": 2,
        "totalConversations": 2,
        "totalReactions": 1,
        "totalNotesCreated": 1,
        "totalScheduleViews": 1,
        "totalAssignmentFetches": 2,
        "totalLunchFetches": 1,
        "totalNewsFetches": 1,
        "totalSchoolLooks": 0,
        "totalSchoolChanges": 0,
    }
    assert body["messageHours"] == {"other": 2}
