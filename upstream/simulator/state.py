"""The state of the simulated school system."""

from dataclasses import replace

from upstream.simulator.clock import Clock
from upstream.simulator.edits import AssignmentEdits, ScheduleEdits
from upstream.simulator.people import Person, Role, School, demo_schools
from upstream.simulator.settings import SimulatorSettings
from upstream.simulator.tokens import Tokens
from upstream.simulator.web_sessions import Dialect, WebSession, WebSessions


class State:
    """Schools, people, sessions, tokens, settings and the clock."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.settings = SimulatorSettings()
        self.schedule = ScheduleEdits()
        self.assignments = AssignmentEdits()
        self.schools: dict[str, School] = demo_schools()
        self.tokens = Tokens(self.clock)
        self.web_sessions = WebSessions(self.clock)
        self.assertions: dict[str, Person] = {}
        """Who has come from an identity provider, by the cookie that says so."""
        self.switched_off: set[str] = set()
        """Keys of sections and items of the menu that have no address."""
        self.gone_messages: set[int] = set()
        """Numbers of messages that everybody has deleted; 1 is the oldest."""
        self.broken_assessments: set[int] = set()
        """Ids of assignments whose assessment gives 500."""
        self.unpublished_results: set[int] = set()
        """Ids of assignments that are left out of the list of results."""
        self.signed_files: dict[str, str] = {}
        """The names of files by the signature of an address that was not used yet."""

    def person(self, school: str, username: str) -> Person:
        """Raises: KeyError if there is no such person."""
        return self.schools[school].people[username.lower()]

    def change_role(self, person: Person, role: Role) -> Person:
        """Give the person another role, in their web sessions and tokens too; the new record."""
        changed = replace(person, role=role)
        self.schools[person.school].add(changed)
        self.web_sessions.replace(person, changed)
        self.tokens.replace(person, changed)
        return changed

    def kill_web_sessions(self, person: Person) -> None:
        """End the person's cookies; tokens live on."""
        self.web_sessions.end_all_of(person)

    def kill_tokens(self, person: Person) -> None:
        """Revoke the person's access and refresh tokens; web sessions live on."""
        self.tokens.revoke(person)

    def open_web_session(self, person: Person, dialect: Dialect) -> WebSession:
        alone = self.settings.web_sessions == "one"
        return self.web_sessions.open(person, dialect, alone=alone)

    def web_session(self, school: str, cookies: dict[str, str]) -> WebSession | None:
        """The live session of these cookies at this school."""
        return self.web_sessions.find(school, cookies)

    def data_owner(self, web: WebSession) -> Person | None:
        """Whose data this session shows: for a guardian the child in focus, else its own person.

        None for a guardian without a child in focus. A pupil of several schools is somebody with
        another number at the second one.
        """
        if web.person.role != "guardian":
            return web.person
        if web.child is None:
            return None
        child = self.person(web.person.school, web.child)
        if web.org_id is None or web.org_id == self.org_ids(child)[0]:
            return child
        return replace(child, user_id=child.user_id + 100_000 * web.org_id)

    def children_of(self, guardian: Person) -> list[Person]:
        """The guardian's children who still are at the school."""
        people = self.schools[guardian.school].people
        return [people[name] for name in guardian.children if name in people]

    def org_ids(self, pupil: Person) -> tuple[int, ...]:
        """The organisations that a pupil goes to."""
        return pupil.org_ids or (self.schools[pupil.school].org_id,)

    def focus_session(self, web: WebSession, child_id: str, org_id: str) -> bool:
        """Put the child of this number in focus, at this school if the child goes to it, else at
        the child's first. Says whether there is such a child."""
        pupils = self.children_of(web.person)
        if self.settings.unknown_child == "accepted":
            pupils = list(self.schools[web.person.school].people.values())
        for pupil in pupils:
            if pupil.role == "student" and str(pupil.user_id) == child_id:
                wanted = [number for number in self.org_ids(pupil) if str(number) == org_id]
                web.child, web.org_id = pupil.username.lower(), next(iter(wanted), None)
                return True
        return False

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
