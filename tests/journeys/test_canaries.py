"""No secret is written anywhere: marked secrets, many requests at DEBUG, every sink searched.

The servers run as they are shipped: both processes on Redis, or the one-process form without it.
Codes, verifiers, tokens and cookies are taken from the wire to the school's system. `BELONGS`
lists every response that may contain a secret.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from django.conf import settings

from tests.journeys import sinks
from tests.journeys.at_the_school import sign_in_at_the_school
from tests.journeys.tap import Tap, tapped
from tests.journeys.visitor import Visitor
from tests.service_process import ServiceProcess, running
from upstream.simulator.people import Person
from upstream.simulator.server import Simulator

PASSWORD = "kanarie lösen+/Tq7w2"
WRONG = "kanarie-fel-Yx41b"
TYPED = "cANARY.kVx9"  # upstream changes its case, we lower it
EMAIL = "kanarie.post-u8z@bjorkdalen.example"
NOTE = "Kanarieanteckning 8Zq1"
REQUEST_ID = "canary-request-id-1"
PLANTED = {
    "password": {PASSWORD, WRONG},
    "name as typed": {TYPED},
    "e-mail": {EMAIL},
    "note text": {NOTE},
    "words of a stranger": {
        *("Kpath7q", "Kquery7q", "Kjson7q", "Kcookie7q", "Kheader7q", "Kbearer7q", "Kagent7q"),
        *("Kschool7q", "Kstate7q", "Kcode7q", "Kframe7q", "Korigin7q", "Khost7q", "Kmethod7q"),
    },
}
# (method, path) of a successful response -> the kinds of secrets that it may contain.
BELONGS = {
    ("POST", "/api/login"): {"access token", "JSESSIONID", "hash", "e-mail"},
    ("POST", "/api/v2/initiate"): {"code", "state"},
    ("POST", "/api/v2/callback"): {"access token", "JSESSIONID", "hash"},
    # The address of the school's own page, for a program.
    ("GET", "/api/v2/authorize"): {"state", "attempt"},
    ("GET", "/api/v2/callback"): {"JSESSIONID", "hash", "ticket"},
    ("POST", "/api/v2/token-refresh"): {"access token"},
    ("POST", "/api/refresh"): {"access token", "JSESSIONID", "hash"},
    ("POST", "/api/token"): {"access token"},
    ("GET", "/api/session"): {"e-mail"},
    ("POST", "/api/schedule/feed"): {"feed"},
    ("GET", "/api/schedule/feed"): {"feed"},
    ("POST", "/api/notes"): {"note text"},
    ("GET", "/api/notes"): {"note text", "share token"},
    ("PATCH", "/api/notes/{id}"): {"note text", "share token"},
    ("POST", "/api/notes/{id}/share"): {"share token"},
    ("GET", "/api/notes/shared/{token}"): {"note text"},
    # It links to the page that reports the note.
    ("GET", "/shared/{token}"): {"note text", "share token"},
    # Malformed HTTP, which a proxy refuses: gunicorn says to its sender what it could not read.
    ("RAW", ""): {"words of a stranger"},
    # A class list contains e-mail addresses, including the caller's.
    ("GET", "/api/people/class"): {"e-mail"},
}
# Table -> the kinds of secrets that it may contain.
KEPT = {"accounts_profile": {"e-mail"}, "notes_note": {"note text"}}
FAULTS = (
    *("timeout", "500", "503", "200-html", "not-json", "truncated", "reset", "cut"),
    *("redirect-elsewhere", "gzip-bomb", "302-login", "403", "404", "429", "empty"),
)
DATA = (
    *("/api/lunch", "/api/news", "/api/subjects", "/api/assignments/week", "/api/people/class"),
    *("/api/schedule.ics", "/api/stats", "/api/schools", "/api/version", "/readyz", "/healthz"),
    "/metrics",
)


@pytest.fixture
def tap(simulator: Simulator, transactional_db: None) -> Iterator[Tap]:
    """Recording proxies to two schools; the marked person is at both."""
    person = Person(
        "bjorkdalen", 999_001, "Canary.Kvx9", PASSWORD, "Kim", "Fink", email=EMAIL
    )  # fmt: skip
    for slug, school in simulator.state.schools.items():
        school.add(replace(person, school=slug))
    simulator.state.settings.refresh_tokens = True
    with tapped(simulator.url) as tap:
        yield tap


@pytest.fixture
def servers(tap: Tap, tmp_path: Path) -> Iterator[list[ServiceProcess]]:
    """The HTTP server, then the sockets server; one process without Redis."""
    changes = {
        "LOG_LEVEL": "DEBUG",
        "METRICS": "on",
        "UPSTREAM_DIALECT": "specified,nyvang=observed",
        "LOGIN_REDIRECTS": "http://127.0.0.1/back",
    }
    kinds = ("http", "sockets") if settings.REDIS_URL else ("sockets",)
    with ExitStack() as stack:
        started = []
        for kind in kinds:
            folder = tmp_path / kind
            folder.mkdir()
            started.append(stack.enter_context(running(folder, tap.url, kind=kind, **changes)))
        yield started


@pytest.mark.slow
def test_no_sink_holds_a_secret(
    servers: list[ServiceProcess], tap: Tap, simulator: Simulator, tmp_path: Path
) -> None:
    visitor = Visitor(servers[0], servers[-1])
    for journey in JOURNEYS:
        journey(visitor, simulator)
    lose_a_table(visitor)
    for server in servers:
        assert server.stop() == 0

    secrets = PLANTED | tap.secrets() | {"feed": visitor.feeds}
    secrets |= {"share token": visitor.share_tokens}
    secrets |= {"attempt": visitor.attempts, "ticket": visitor.tickets}
    assert all(secrets.values()), "a journey did not reach its secret"
    found = [*sinks.in_answers(visitor.answers, secrets, BELONGS)]
    found += sinks.in_text("a socket's frames", visitor.frames, secrets)
    found += sinks.in_tables(secrets, KEPT)
    found += sinks.in_redis(secrets)
    found += sinks.in_files(tmp_path, secrets)
    assert not found
    for kind in {"http", "sockets"} & {path.name for path in tmp_path.iterdir()}:
        log = b"".join(path.read_bytes() for path in (tmp_path / kind).glob("*.log"))
        assert log.count(REQUEST_ID.encode()) >= 1, "the log holds nothing at all"


def sign_in(visitor: Visitor, simulator: Simulator) -> None:
    """Log in rightly, wrongly and at another school, in both dialects, and use the results."""
    for school in ("bjorkdalen", "nyvang"):
        body = {"username": TYPED, "password": PASSWORD, "school": school}
        assert visitor.ask("POST", "/api/login", body | {"password": WRONG}) == 401
        assert visitor.ask("POST", "/api/login", body | {"school": "Kschool7q"}) == 404
        for value in ("500", "200-html", "reset", "state-echo-wrong", "no-state", "not-json"):
            simulator.faults.set("login.password", value, times=1, school=school)
            assert visitor.ask("POST", "/api/login", body) in (502, 503)
            simulator.faults.clear()
            assert visitor.ask("POST", "/api/login", body) == 200
        for step in ("login.token", "login.session", "session"):
            simulator.faults.set(step, "not-json", school=school)
            visitor.ask("POST", "/api/login", body)
            simulator.faults.clear()
        assert visitor.ask("POST", "/api/login", body) == 200
        assert visitor.ask("POST", "/api/token") == 200
        assert visitor.ask("POST", "/api/v2/token-refresh", {"school": school}) == 200
        assert visitor.ask("POST", "/api/refresh") == 200
        assert visitor.ask("GET", "/api/session") == 200
        assert visitor.ask("GET", "/api/schedule?week=11") == 200
    assert visitor.ask("POST", "/api/login", body | {"school": "granskolan"}) == 403


def sign_in_by_halves(visitor: Visitor, simulator: Simulator) -> None:
    body = {"username": TYPED, "password": PASSWORD, "school": "bjorkdalen"}
    assert visitor.ask("POST", "/api/v2/initiate", body | {"password": WRONG}) == 401
    assert visitor.ask("POST", "/api/v2/initiate", body) == 200
    halves = {**visitor.last, "school": "bjorkdalen"}
    for wrong in ({"state": "Kstate7q"}, {"code": "Kcode7q"}, {"school": "nyvang"}):
        assert visitor.ask("POST", "/api/v2/callback", halves | wrong) == 400
    visitor.ask("POST", "/api/v2/initiate", body)
    halves = {**visitor.last, "school": "bjorkdalen"}
    assert visitor.ask("POST", "/api/v2/callback", halves) == 200
    assert visitor.ask("POST", "/api/v2/callback", halves) == 400


def read(visitor: Visitor, simulator: Simulator) -> None:
    """Read everything with cookies and with the token, and end sessions."""
    for headers in ({}, visitor.bearer()):
        for path in DATA:
            assert visitor.ask("GET", path, headers=headers) == 200, path
        assert visitor.ask("GET", "/api/sessions", headers=headers) == 200
    assert visitor.ask("POST", "/api/schedule/feed") == 201
    assert visitor.ask("GET", "/api/schedule/feed") == 200
    visitor.feeds.add(visitor.last["url"].rpartition("/")[2].removesuffix(".ics"))
    for feed in visitor.feeds:
        assert visitor.ask("GET", f"/feeds/{feed}.ics") == 200
        assert visitor.ask("GET", f"/feeds/{feed}x.ics") == 404
    assert visitor.ask("DELETE", "/api/sessions") == 200


def write(visitor: Visitor, simulator: Simulator) -> None:
    """Accepted and refused notes; valid and invalid links."""
    document = {"type": "doc", "content": [{"type": "text", "text": NOTE}]}
    assert visitor.ask("POST", "/api/notes", {"content": document}) == 400
    assert visitor.ask("POST", "/api/notes", {"title": [NOTE], "content": NOTE}) == 400
    assert visitor.ask("POST", "/api/notes", {"title": NOTE, "content": NOTE}) == 201
    path = f"/api/notes/{visitor.last['note']['id']}"
    assert visitor.ask("POST", f"{path}/share") == 201
    token = str(visitor.last["token"])
    visitor.share_tokens.add(token)
    assert visitor.ask("PATCH", path, {"title": f"{NOTE}!"}) == 200
    assert visitor.ask("GET", "/api/notes") == 200
    for prefix in ("/api/notes/shared", "/shared"):
        assert visitor.ask("GET", f"{prefix}/{token}") == 200
        assert visitor.ask("GET", f"{prefix}/{token}x") == 404
    with sinks.without_table("notes_note"):
        assert visitor.ask("GET", f"/shared/{token}") in (500, 503)


def meet_faults(visitor: Visitor, simulator: Simulator) -> None:
    """Every kind of upstream failure, for a week and a subject."""
    body = {"username": TYPED, "password": PASSWORD, "school": "nyvang"}
    assert visitor.ask("POST", "/api/login", body) == 200
    statuses = set()
    for week, value in enumerate(FAULTS, start=31):
        simulator.faults.set("lessons", value)
        statuses.add(visitor.ask("GET", f"/api/schedule?week={week}"))
        simulator.faults.clear()
        for fine in (week - 30, week - 29):  # so that the circuit breaker stays closed
            if visitor.ask("GET", f"/api/schedule?week={fine}") == 401:
                assert visitor.ask("POST", "/api/login", body) == 200
    assert statuses == {200, 401, 403, 404, 502, 503, 504}  # 200: an empty week
    for value in ("500", "200-html", "not-json"):
        simulator.faults.set("session", value)
        visitor.ask("GET", "/api/session", headers=visitor.bearer())
        simulator.faults.set("traffic", value)
        for path in DATA:
            visitor.ask("GET", path)
        simulator.faults.clear()


def talk_nonsense(visitor: Visitor, simulator: Simulator) -> None:
    """Secrets of a stranger in every part of a request, to every process."""
    for path in ("/api/Kpath7q", "/api/subjects/Kpath7q", "/feeds/Kpath7q.ics",
                 "/api/schedule?week=Kquery7q&Kquery7q=1", "/api/sessions/Kpath7q",
                 "/api/" + "Kpath7q" * 2000, "/api/lunch?week=" + "Kquery7q" * 2000):  # fmt: skip
        assert visitor.ask("GET", path, headers=visitor.bearer()) in (400, 404, 405, 414)
    for body in (b'{"username": "Kjson7q"', b'"Kjson7q"', b'{"username": ["Kjson7q"]}',
                 b'{"Kjson7q": NaN}', b"[" * 40 + b'"Kjson7q"' + b"]" * 40,
                 b'"Kjson7q"' * 40_000):  # fmt: skip
        assert visitor.send("POST", "/api/login", body) in (400, 413)
    for headers in (
        {"Cookie": "wrapper_jsessionid=Kcookie7q; wrapper_hash=Kcookie7q; wrapper_school=nyvang"},
        {"Cookie": "wrapper_hash=Kcookie7q; wrapper_hash=Kcookie7q,"},
        {"Authorization": "Bearer Kbearer7q"},
        {"Authorization": "Basic Kbearer7q"},
        {"User-Agent": "Kagent7q", "Accept": "Kheader7q", "X-Request-ID": "Kheader7q !"},
    ):
        assert visitor.send("GET", "/api/session", headers=headers) == 401
    for headers in ({"Origin": "https://Korigin7q.example"}, {"Sec-Fetch-Site": "Korigin7q"}):
        assert visitor.send("POST", "/api/login", b"{}", headers=headers) == 403
    visitor.send("POST", "/api/login", b"{}", headers={"x-school": "../Kheader7q"})
    visitor.send("GET", "/api/version", headers={"X-Request-ID": REQUEST_ID})
    visitor.say_to_all(
        b"Kmethod7q /api/login HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /api/version HTTP/1.1\r\nHost: Khost7q.example\r\n\r\n",
        b"GET /Kpath7q\x01 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"Kpath7q Kquery7q\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nKheader7q\x00: Kheader7q\r\n\r\n",
        b"GET /Kpath7q HTTP/1.1\r\nHost: localhost\r\nX-Request-ID: %s\r\n\r\n"
        % REQUEST_ID.encode(),
    )


def listen(visitor: Visitor, simulator: Simulator) -> None:
    """Sockets: refused, closed because the session ended, with malformed frames."""
    visitor.try_socket("/ws?token=Kquery7q", {"Origin": "https://Korigin7q.example"})
    visitor.try_socket("/ws?Kquery7q", {"Authorization": "Bearer Kbearer7q"})
    visitor.try_socket("/ws", {"Cookie": "wrapper_hash=Kcookie7q; wrapper_hash=x"})
    body = {"username": TYPED, "password": PASSWORD, "school": "bjorkdalen"}
    assert visitor.ask("POST", "/api/login", body) == 200
    with visitor.listening() as say:
        for frame in ('{"type": "ping"}', '{"type": "Kframe7q"}', '"Kframe7q', b"Kframe7q"):
            say(frame)
    assert visitor.ask("POST", "/api/login", body) == 200
    with visitor.listening() as say:
        say('{"type": "ping"}')
        assert visitor.ask("POST", "/api/logout") == 200


def lose_a_table(visitor: Visitor) -> None:
    """A database that fails in the middle of a login and of a read."""
    body = {"username": TYPED, "password": PASSWORD, "school": "bjorkdalen"}
    assert visitor.ask("POST", "/api/login", body) == 200
    with sinks.without_table("accounts_profile"):
        assert visitor.ask("POST", "/api/login", body) in (500, 503)
    with sinks.without_table("accounts_servicesession"):
        assert visitor.ask("POST", "/api/token") in (500, 503)
        visitor.ask("POST", "/api/refresh")


JOURNEYS = (
    *(sign_in, sign_in_by_halves, sign_in_at_the_school),
    *(read, write, talk_nonsense, meet_faults, listen),
)
