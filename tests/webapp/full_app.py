"""Elsa with something on every page of the app."""

from datetime import timedelta

from tests.conftest import Caller, signed_in
from tests.contract.permission_matrix import PUSH
from tests.notes.documents import RICH, doc, link, node, text
from tests.notes.notes import added, changed, shared
from tests.social.aes_group import seal
from tests.social.friend_requests import ask, block
from tests.social_actions import dm_of, report, say
from tests.webapp.people import tuesday_at

# Without what is up to the writer: a colour of their own, and a heading that leaves out levels.
ABOUT = node("paragraph", text("Läs "), text("sidan", link("https://www.skolverket.se/")))
NOTE = doc(ABOUT, *RICH["content"][2:-1])


def fill(elsa: Caller, bo: Caller) -> dict[str, str]:
    """Give Elsa some of everything; returns the addresses of the pages that name one thing."""
    omer = signed_in("ömer.sjölin")
    for username in ("alva.lind", "torbjörn.ekvik"):
        signed_in(username)
    assert ask(omer, "elsa.nordvall").status_code == 201
    assert ask(elsa, "alva.lind").status_code == 201
    assert block(elsa, "torbjörn.ekvik").status_code == 201
    dm = conversation_of(elsa, bo)
    group(omer, "Ugglorna", "elsa.nordvall")
    locked = group(bo, "Hemligt", "elsa.nordvall", encrypted=True)
    say(bo, locked, seal(b"x" * 32, "Ingen annan ser det här"))
    things_of_her_own(elsa)
    note = added(elsa, title="Biologi", content=NOTE)
    shared(elsa, note)
    room = elsa.get("/api/subjects").json()["subjects"][0]["id"]
    return {
        "/app/assignments/:id": f"/app/assignments/{assessed(elsa)}",
        "/app/subjects/:id": f"/app/subjects/{room}",
        "/app/plannings/:id": f"/app/plannings/{with_a_calendar(elsa)}",
        "/app/inbox/:id": f"/app/inbox/{elsa.get('/api/inbox').json()['messages'][0]['id']}",
        "/app/assessments/:id": f"/app/assessments/{warned(elsa)}",
        "/app/news/:id": f"/app/news/{with_files(elsa)}",
        "/app/share": "/app/share?title=Uppsala&text=L%C3%A4s+om+domkyrkan",
        "/app/chats/:id": f"/app/chats/{dm}",
        "/app/chats/:id/about": f"/app/chats/{dm}/about",
        "/app/people/:username": "/app/people/bo.ek",
        "/app/notes/:id": f"/app/notes/{note['id']}",
        "locked": f"/app/chats/{locked}",
        "group": f"/app/chats/{group(elsa, 'Schackklubben', 'bo.ek')}/about",
    }


def with_a_calendar(elsa: Caller) -> str:
    """A feed for calendar programs; returns the id of a part of a planning, with files."""
    assert elsa.post("/api/schedule/feed").status_code == 201
    return "4120071"


def conversation_of(elsa: Caller, bo: Caller) -> str:
    """The id of one with everything that can be in it."""
    dm = dm_of(elsa, "bo.ek")
    first = say(bo, dm, "Hej Elsa! Läs det här: https://example.org/en/lang/adress?" + "x" * 60)
    path = f"/api/conversations/{dm}"
    answer = {"content": "Hej Bo", "replyTo": {"messageId": first["id"]}}
    assert elsa.post(f"{path}/messages", answer).status_code == 201
    for change in ({"action": "react", "emoji": "👍"}, {"action": "pin", "pinned": True}):
        assert elsa.patch(f"{path}/{first['id']}", change).status_code == 200
    own, gone = say(elsa, dm, "Kommer du?"), say(elsa, dm, "Det var fel")
    edited = {"action": "edit", "content": "Kommer du idag?"}
    assert elsa.patch(f"{path}/{own['id']}", edited).status_code == 200
    assert elsa.delete(f"{path}/{gone['id']}").status_code == 200
    report(elsa, "message", first["id"], "Dumt.")
    say(bo, dm, "Kanske")
    return dm


def group(caller: Caller, name: str, member: str, *, encrypted: bool = False) -> str:
    body = {"type": "group", "groupName": name, "members": [member], "encrypted": encrypted}
    answer = caller.post("/api/conversations", body)
    assert answer.status_code == 201, answer.content
    return str(answer.json()["conversation"]["id"])


def things_of_her_own(elsa: Caller) -> None:
    """Countdowns of every colour, an old note, a profile, and a device with pushes."""
    soon = f"{tuesday_at(12) + timedelta(days=30):%Y-%m-%d}"
    for theme in ("violet", "rose", "amber", "emerald", "sky", "slate"):
        about = {"title": "Nationella prov", "targetDate": soon, "theme": theme, "emoji": "📚"}
        assert elsa.post("/api/countdowns", about | {"pinned": theme == "sky"}).status_code == 201
    over = elsa.post("/api/countdowns", {"title": "Sommarlov", "targetDate": soon}).json()
    path = f"/api/countdowns/{over['countdown']['id']}"
    assert elsa.patch(path, {"archived": True}).status_code == 200
    changed(elsa, added(elsa, title="Gammalt", content="Hej"), status="archived")
    assert elsa.put("/api/profile", {"bio": "Gillar schack."}).status_code == 200
    assert elsa.post("/api/push/subscriptions", PUSH).status_code == 201


def with_files(elsa: Caller) -> str:
    """The id of an article with files."""
    articles = elsa.get("/api/news/articles").json()["articles"]
    return next(str(article["id"]) for article in articles if article["hasAttachments"])


def warned(elsa: Caller) -> str:
    """The id of a written assessment with everything in it."""
    rows = elsa.get("/api/assessments").json()["assessments"]
    return next(str(row["id"]) for row in rows if row["warning"])


def assessed(elsa: Caller) -> int:
    """The id of an assignment with a result."""
    for weeks in range(1, 8):
        year, week, _ = (tuesday_at(12) - timedelta(weeks=weeks)).isocalendar()
        for each in elsa.get(f"/api/assignments/week?year={year}&week={week}").json()["data"]:
            if each["resultReportStatus"] == "PUBLISHED":
                return int(each["id"])
    raise AssertionError("no result")
