"""A stand-in for the school system that is too fast to be the bottleneck, as a process of its own.

It has no state: codes, tokens and cookies encode the username that they belong to, so that any
number of people can log in. It checks neither passwords nor PKCE; `upstream/simulator`, which the
tests use, does. `PUT /-/latency/20` delays every answer by 20 ms, `GET /-/calls` counts the calls
by kind since the start.
"""

import asyncio
import json
import random
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar, cast

import uvloop

SCHOOL = "bjorkdalen"
ROOMS = 12
WEEK_BYTES = 10_000  # about the size of an ordinary school week
_SLOT = "reads-as-000000"  # replaced by the mark of the person whom an answer is for
_STARTS = ["08:20", "09:25", "10:40", "12:30", "13:45"]
_TEXT = (
    '<p class="tinymce-p">R&auml;kna sid 84&ndash;91.&nbsp;Öva på <strong>allt</strong>.</p>'
    '<ul><li>Ta med <a href="showFile.jsp?id=5">räknare</a></li><li>Linjal</li></ul>'
)


def username(number: int) -> str:
    """The username of person `number`, 0 to 899,999."""
    return f"bench.{number:06d}"


def mark_of(name: str) -> str:
    """A text that is in every personal answer to this username, and in no other person's."""
    return f"reads-as-{name.rpartition('.')[2]}"


# fmt: off
@cache
def week(number: int) -> str:
    """The lessons of a week, the same in every run: unsorted, some twice, some at the same time."""
    rng, lessons = random.Random(number), list[dict[str, Any]]()
    while len(json.dumps(lessons)) < WEEK_BYTES:
        index = len(lessons)
        slot = index - 1 if index % 7 == 6 else index
        date = f"2026-03-{9 + slot % 5:02d}"
        attendance = {
            "lessonId": rng.randrange(4_000_000, 5_000_000), "status": 0, "statusType": 0,
            "week": number, "absence": 0, "name": "Närvarande", "comment": "" if index else _SLOT,
            "reason": "",
        }
        lesson = {
            "eventId": rng.randrange(4_000_000, 5_000_000), "name": rng.choice(["Ma", "IDH", "En"]),
            "description": "Idrott och hälsa", "startDate": f"{date}T{_STARTS[slot // 5 % 5]}",
            "endDate": f"{date}T14:40", "allDay": False, "eventColor": "#9fe2a0", "editable": False,
            "room": "C301,C302", "teachingGroup": "8C,8C/MA-2", "dayId": slot % 5,
            "teacher": "Torbjörn Ekvik,Åsa Lindroos", "status": rng.choice([-1, 2]),
            "category": "lesson", "roomBooking": False, "studentLessonStatus": attendance,
        }
        lessons += [lesson, lesson] if index % 9 == 8 else [lesson]
    rng.shuffle(lessons)
    return json.dumps(lessons, ensure_ascii=False)


@cache
def _fixed(kind: str) -> str:
    """The JSON of what is the same for everybody but for the mark."""
    teacher = {"id": 902, "firstName": "Torbjörn", "lastName": "Ekvik", "role": "Mentor"}
    room = {
        "subject": "Matematik", "groupNames": ["8C"], "color": "#9fe2a0", "isPreSchool": False,
        "access": True, "isSubjectRoom": True, "hiddenForStudents": False,
    }
    entity = {
        "planningId": None, "activityId": 1204, "title": f"Prov {_SLOT}", "description": None,
        "subTitle": "tis 17 mars 08:20, Prov, Matematik", "sortDate": "2026-03-17 08:20",
        "read": False, "status": "ONGOING",
    }
    entities = [{"id": at, "assignmentId": at, **entity} for at in range(88121, 88129)]
    documents: dict[str, object] = {
        "rooms": [{"activityId": 1204 + at, **room} for at in range(ROOMS)],
        "entities": [{**row, "description": _TEXT} for row in entities[:3]] + entities[3:],
        "unread": {"assignments": 2, "plannings": 1, "results": 0, "sum": 3},
        "teachers": [teacher, teacher | {"id": 903, "lastName": None}, teacher],
        "schools": [{"name": "Skolan", "evaUrl": f"http://127.0.0.1/{SCHOOL}/eva"}],
    }
    return json.dumps(documents[kind], ensure_ascii=False)


def _session(name: str) -> dict[str, Any]:
    number = name[-6:]
    return {
        "app": False, "superUser": False, "theme": "light",
        "organization": {"id": 41, "name": "Björkdalsskolan", "school": True},
        "language": {"langId": 1, "langCode": "sv"}, "userType": {"id": 1, "name": "student"},
        "user": {
            "id": 100_000 + int(number), "firstName": "Elsa", "lastName": f"Nordvall {number}",
            "userName": name.capitalize(), "email": f"{name}@elev.example",
        },
    }
# fmt: on


# The end of the path, and the kind of call.
KINDS = {
    "/rest-api/session": "session",
    "/rest-api/login/student/password": "password",
    "/rest-api/login/token": "token",
    "/rest-api/login/session": "translate",
    "/ps/subjectroom/all": "rooms",
    "/entities": "entities",
    "/unread_entities": "unread",
    "/teachers": "teachers",
    "/internal/rest-api/login/schoollist": "schools",
}


def kind_of(path: str) -> str:
    """The kind of a call, "unknown" for what no scenario needs."""
    if "/calendar/lessons/week/" in path:
        return "lessons"
    return next((kind for ending, kind in KINDS.items() if path.endswith(ending)), "unknown")


def answer(kind: str, path: str, headers: dict[str, str], body: bytes) -> bytes:
    """The whole HTTP answer to a call. Raises: KeyError, ValueError without a known person."""
    if kind == "unknown":
        return _http("404 Not Found", "{}")
    if kind == "schools":
        return _http("200 OK", _fixed(kind))
    if kind == "password":
        form = json.loads(body)
        code = form["username"].lower().encode().hex()
        again = {"state": form["state"], "redirect_uri": form["redirect_uri"]}
        return _http("200 OK", json.dumps({"code": code, **again}))
    if kind == "token":
        grant = {"access_token": f"token-{json.loads(body)['code']}", "token_type": "Bearer"}
        return _http("200 OK", json.dumps({**grant, "expires_in": 2_592_000}))
    if kind == "translate":
        encoded = headers["authorization"].rpartition("-")[2]
        values = {"JSESSIONID": encoded.upper(), "hash": encoded[::-1], "usertype": "1"}
        lines = [f"Set-Cookie: {name}={value}; Path=/\r\n" for name, value in values.items()]
        return _http("200 OK", "{}", "".join(lines))
    pairs = (part.strip().partition("=") for part in headers["cookie"].split(";"))
    cookies = {name: value for name, _, value in pairs}
    name = bytes.fromhex(cookies["JSESSIONID"]).decode()
    if kind == "session":
        return _http("200 OK", json.dumps(_session(name)))
    text = week(int(path.rpartition("/")[2])) if kind == "lessons" else _fixed(kind)
    return _http("200 OK", text.replace(_SLOT, mark_of(name)))


def _http(status: str, text: str, more: str = "") -> bytes:
    body = text.encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json;charset=UTF-8\r\n"
    return f"{head}Content-Length: {len(body)}\r\n{more}\r\n".encode() + body


class Exchange(asyncio.Protocol):
    """A connection. Head and body leave in one write: two cost 40 ms by delayed acknowledgement."""

    calls: ClassVar[Counter[str]] = Counter()
    latency = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport, self.buffer = cast("asyncio.Transport", transport), b""

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        head, separator, rest = self.buffer.partition(b"\r\n\r\n")
        if not separator:
            return
        first, *lines = head.decode("latin-1").split("\r\n")
        pairs = (line.partition(":") for line in lines)
        headers = {name.lower(): value.strip() for name, _, value in pairs}
        length = int(headers.get("content-length", 0))
        if len(rest) < length:
            return
        self.buffer = rest[length:]
        self._answer(first.split(" ")[1].partition("?")[0], headers, rest[:length])

    def _answer(self, path: str, headers: dict[str, str], body: bytes) -> None:
        if path.startswith("/-/"):
            if path.startswith("/-/latency/"):
                Exchange.latency = float(path.rpartition("/")[2]) / 1000
            self.transport.write(_http("200 OK", json.dumps(self.calls)))
            return
        kind = kind_of(path)
        self.calls[kind] += 1
        try:
            made = answer(kind, path, headers, body)
        except (KeyError, ValueError):
            made = _http("401 Unauthorized", '{"error":"Unauthorized"}')
        write: Callable[[bytes], None] = self.transport.write
        if self.latency:
            asyncio.get_running_loop().call_later(self.latency, write, made)
        else:
            write(made)


async def serve(port: int) -> None:
    """Serve on loopback until killed."""
    server = await asyncio.get_running_loop().create_server(Exchange, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(serve(int(sys.argv[1])))
