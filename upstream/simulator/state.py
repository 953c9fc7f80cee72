"""The state of the simulated school system."""

from upstream.simulator.clock import Clock
from upstream.simulator.people import Person, School, demo_schools
from upstream.simulator.settings import SimulatorSettings
from upstream.simulator.tokens import Tokens
from upstream.simulator.web_sessions import Dialect, WebSession, WebSessions


class State:
    """Schools, people, sessions, tokens, settings and the clock."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.settings = SimulatorSettings()
        self.schools: dict[str, School] = demo_schools()
        self.tokens = Tokens(self.clock)
        self.web_sessions = WebSessions(self.clock)

    def person(self, school: str, username: str) -> Person:
        """Raises: KeyError if there is no such person."""
        return self.schools[school].people[username.lower()]

    def kill_web_sessions(self, person: Person) -> None:
        """End the person's cookies; tokens live on."""
        self.web_sessions.end_all_of(person)

    def kill_tokens(self, person: Person) -> None:
        """Revoke the person's access and refresh tokens; web sessions live on."""
        self.tokens.revoke(person)

    def open_web_session(self, person: Person, dialect: Dialect) -> WebSession:
        return self.web_sessions.open(person, dialect, self.settings.session_seconds)

    def web_session(self, school: str, cookies: dict[str, str]) -> WebSession | None:
        """The live session of these cookies at this school."""
        idle = self.settings.session_seconds if self.settings.session_limit == "idle" else None
        return self.web_sessions.find(
            school, cookies, strict_hash=self.settings.strict_hash, idle_seconds=idle
        )

    def data_owner(self, web: WebSession) -> Person | None:
        """Whose data this session shows: for a guardian the child in focus, else its own person.

        None for a guardian without a child in focus.
        """
        if web.person.role != "guardian":
            return web.person
        return None if web.child is None else self.person(web.person.school, web.child)

    def focus(self, guardian: Person, child: str | None) -> None:
        """Put this child (a username, or None) in focus in every session of the guardian.

        Raises: KeyError if the school has no such person.
        """
        if child is not None:
            self.person(guardian.school, child)
        self.web_sessions.focus(guardian, child)

    def issues_refresh_tokens(self, dialect: Dialect) -> bool:
        """Whether access tokens come with a refresh token in this dialect."""
        setting = self.settings.refresh_tokens
        return dialect == "observed" if setting is None else setting
