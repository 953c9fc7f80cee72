"""The web sessions that the three cookies belong to."""

import secrets
import threading
from dataclasses import dataclass, field
from typing import Literal

from upstream.simulator.clock import Clock
from upstream.simulator.people import Person

Dialect = Literal["specified", "observed"]

_SECONDS = 3600

# The specification and public clients agree on students only.
USER_TYPES: dict[Dialect, dict[str, tuple[int, str]]] = {
    "specified": {
        "student": (1, "student"),
        "teacher": (2, "teacher"),
        "guardian": (3, "guardian"),
    },
    "observed": {"student": (1, "student"), "guardian": (2, "parent"), "teacher": (3, "staff")},
}


@dataclass(slots=True)
class WebSession:
    """One signed-in browser. `expires_at` is in Unix seconds."""

    person: Person
    dialect: Dialect
    expires_at: float
    child: str | None = None
    """The username of a guardian's child in focus; each session has its own focus."""
    org_id: int | None = None
    """At which of the child's schools; None: the first."""
    jsessionid: str = field(default_factory=lambda: secrets.token_hex(16).upper(), repr=False)
    hash: str = field(default_factory=lambda: secrets.token_hex(10), repr=False)

    @property
    def user_type(self) -> tuple[int, str]:
        """Number and name, in the dialect that the session was opened with."""
        return USER_TYPES[self.dialect][self.person.role]


class WebSessions:
    """Every web session. Thread-safe."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._sessions: dict[str, WebSession] = {}

    def open(self, person: Person, dialect: Dialect, *, alone: bool = False) -> WebSession:
        """A new session, for an hour. `alone`: it ends the person's others."""
        if alone:
            self.end_all_of(person)
        session = WebSession(person, dialect, self._clock.now() + _SECONDS, person.child)
        self.add(session)
        return session

    def add(self, session: WebSession) -> None:
        with self._lock:
            self._sessions[session.jsessionid] = session

    def all(self) -> list[WebSession]:
        with self._lock:
            return list(self._sessions.values())

    def get(self, jsessionid: str) -> WebSession:
        """The session of this cookie, live or expired. Raises: KeyError."""
        return self._sessions[jsessionid]

    def find(self, school: str, cookies: dict[str, str]) -> WebSession | None:
        """The live session of these cookies at this school."""
        with self._lock:
            session = self._sessions.get(cookies.get("JSESSIONID", ""))
        if (
            session is None
            or session.person.school != school
            or cookies.get("hash") != session.hash
            or session.expires_at <= self._clock.now()
        ):
            return None
        return session

    def end(self, jsessionid: str) -> None:
        with self._lock:
            self._sessions.pop(jsessionid, None)

    def end_all_of(self, person: Person) -> None:
        """End every web session of the person."""
        with self._lock:
            self._sessions = {k: s for k, s in self._sessions.items() if s.person != person}

    def replace(self, person: Person, changed: Person) -> None:
        """Put the changed record of a person into their sessions."""
        with self._lock:
            for session in self._sessions.values():
                if session.person == person:
                    session.person = changed

    def focus(self, person: Person, child: str | None) -> None:
        """Change the child in focus of every session of the person."""
        with self._lock:
            for session in self._sessions.values():
                if session.person == person:
                    session.child, session.org_id = child, None

    def count_live(self, person: Person) -> int:
        """How many sessions of the person are live."""
        now = self._clock.now()
        with self._lock:
            mine = [s for s in self._sessions.values() if s.person == person]
        return sum(session.expires_at > now for session in mine)
