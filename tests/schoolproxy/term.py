"""A school term that is watched: what happens, and the books of what must be told."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from random import Random

import time_machine
from django.utils import timezone

from accounts.models import Account
from schoolproxy.models import Watch
from schoolproxy.services.watch.looks import look_at_the_school
from tests.conftest import Caller
from tests.schoolproxy.told import Told, ToldRow, monday_of
from tests.schoolproxy.watching import STOCKHOLM, watch
from upstream import shared_client
from upstream.simulator.assignments import data as assignments
from upstream.simulator.assignments.data import Assignment
from upstream.simulator.classes import class_of
from upstream.simulator.lessons import lessons_of
from upstream.simulator.news import news_of
from upstream.simulator.people import Person
from upstream.simulator.server import Simulator

SCHOOL = "bjorkdalen"
SLOTS = ("08:20", "09:40", "12:20", "13:35")
VALUES = {"room": "Aula", "teacher": "Vikarie", "moved": "07:{:02}", "cancelled": ""}
# What goes wrong, where, and for how many minutes.
TROUBLE = (
    ("traffic", "503", 130),
    ("lessons", "500", 100),
    ("lessons", "200-html", 90),
    ("lessons", "302-login", 70),
    ("lessons", "odd-items", 200),
    ("lessons", "not-json", 90),
    ("lessons", "empty-list", 20),
    ("lessons", "object-map", 300),
    ("session", "500", 60),
    ("login.session", "500", 60),
    ("lessons", "truncated", 60),
    ("assignments", "500", 120),
    ("assignments", "200-html", 90),
    ("assignments", "odd-items", 200),
    ("assignments", "empty-list", 20),
    ("assignments", "302-login", 60),
    ("news.page", "500", 90),
    ("news.page", "truncated", 60),
    ("inbox", "500", 90),
    ("inbox", "200-html", 60),
    ("menu", "500", 400),
    ("dated", "500", 120),
    ("dated", "empty-list", 60),
    ("dated", "403", 300),
    ("subjects.assignments", "500", 120),
    ("subjects.assignments", "empty-list", 60),
)


@dataclass
class Books:
    """Written by what happens, and never by what the watch says of it."""

    expected: dict[int, Counter[Told]] = field(default_factory=dict)
    emptied: dict[int, list[set[str]]] = field(default_factory=dict)
    rows: dict[int, Counter[ToldRow]] = field(default_factory=dict)
    dead: set[int] = field(default_factory=set)
    touched: set[tuple[int, date, str]] = field(default_factory=set)
    closed: set[tuple[int, date]] = field(default_factory=set)
    assigned: set[tuple[int, int]] = field(default_factory=set)


class Term:
    """Pupils, the clock, and a script of a day."""

    def __init__(
        self, simulator: Simulator, traveller: time_machine.Traveller, *, pupils: int, seed: int
    ) -> None:
        self.simulator = simulator
        self.traveller = traveller
        self.random = Random(seed)
        self.books = Books()
        self.people: dict[int, Person] = {}
        self.first_day = self.now().date()
        simulator.state.settings.token_seconds = 400 * 86_400
        simulator.state.settings.lesson_noise = True
        simulator.state.settings.message_days = 0
        for number in range(pupils):
            self._add_pupil(number)
        simulator.requests.clear()

    def _add_pupil(self, number: int) -> None:
        name = f"Pupil{number}.Term"
        person = Person(SCHOOL, 740_000 + number, name, f"pupil{number}-demo", "P", "T")
        self.simulator.state.schools[SCHOOL].add(person)
        Caller(REMOTE_ADDR=f"10.1.{number // 200}.{number % 200 + 1}").sign_in(name.lower())
        public = Account.objects.get(upstream_user_id=person.user_id)
        account = watch(public.username)
        self.people[account] = person
        self.books.expected[account] = Counter()
        self.books.emptied[account] = []
        self.books.rows[account] = Counter()

    # --- The clock ---

    def now(self) -> datetime:
        return timezone.now().astimezone(STOCKHOLM)

    def run_until(self, end: datetime) -> None:
        """Make the looks as they become due, ten seconds apart where the budget has to rest."""
        while True:
            look_at_the_school()
            waiting = Watch.objects.exclude(status="sign_in_again").order_by("next_look_at")
            following = waiting.values_list("next_look_at", flat=True).first() or end
            following = max(following, timezone.now() + timedelta(seconds=10))
            if following >= end:
                self.traveller.move_to(end)
                return
            self.traveller.move_to(following)

    def day(self, today: date, *, eventful: bool) -> None:
        """A day: changes at some hours, trouble at another, and somebody whose lesson flickers."""
        trouble = self.random.choice(TROUBLE)
        troubled = self.random.choice((8, 13, 17))
        if self.first_day < today and today.weekday() < 5:
            self._expect_results(today)
        for hour in range(6, 22):
            self.run_until(_at(today, hour))
            if not eventful:
                continue
            self._happen(today, hour)
            if hour == troubled:
                self._go_wrong(*trouble)
        self.run_until(_at(today, 23))

    def _happen(self, today: date, hour: int) -> None:
        if hour in (9, 12, 15):
            self._change_something(today)
        if hour in (10, 14) and today.weekday() in (2, 3, 4):
            self._change_an_assignment(today)
        if hour == 12 and self.random.random() < 0.1:
            self._publish_news()
        if hour == 13 and self.random.random() < 0.2:
            self._write_to_everybody()
        if hour in (7, 11, 16):
            self._flicker(today)

    # --- What happens ---

    def _change_something(self, today: date) -> None:
        for account in self._some():
            day = self._day_ahead(today)
            kind = self.random.choice([*VALUES, "added"])
            start = self.random.choice(SLOTS) if kind != "added" else "16:00"
            if self._is_taken(account, day, start):
                continue
            self.books.touched.add((account, day, start))
            value = VALUES.get(kind, "Extra").format(self.random.randrange(10, 50))
            person = self.people[account]
            numbers = self._lessons_at(person, day, start) if kind != "added" else 1
            self.simulator.state.schedule.add(SCHOOL, person.user_id, kind, day, start, value)
            self.books.expected[account][str(day), start, kind] += numbers
        if self.random.random() < 0.2:
            self._empty_a_week(today)

    def _empty_a_week(self, today: date) -> None:
        account = self.random.choice(list(self.people))
        monday = today - timedelta(days=today.weekday()) + timedelta(days=7)
        mine = {(owner, monday_of(day)) for owner, day, _ in self.books.touched}
        if account in self.books.dead or {(account, monday)} & (mine | self.books.closed):
            return
        self.books.closed.add((account, monday))
        person = self.people[account]
        lessons = lessons_of(person, monday.isocalendar().week, today)
        starts = {f"{each['startDate']} {each['name']}" for each in lessons}
        self.simulator.state.schedule.add(SCHOOL, person.user_id, "emptied", monday)
        if starts:
            self.books.emptied[account].append(starts)

    def _change_an_assignment(self, today: date) -> None:
        """In the next week, whose list has been seen since Monday."""
        monday = monday_of(today) + timedelta(days=7)
        for account in self._some():
            person, edits = self.people[account], self.simulator.state.assignments
            kind = self.random.choice(("new", "exam", "retitled", "published", "missing"))
            if kind in ("new", "exam"):
                weeks = 0 if kind == "new" else self.random.randrange(2, 7)
                day = monday + timedelta(weeks=weeks, days=self.random.randrange(5))
                due = datetime.combine(day, time(9))
                number = edits.add(SCHOOL, person.user_id, "Extra", due)
                self.books.rows[account]["assignment", str(number)] += 1
                continue
            there = [each for each in self._assignments(person, monday) if each.index != 1]
            free = [each.id for each in there if (account, each.id) not in self.books.assigned]
            if not free:
                continue
            number = self.random.choice(free)
            self.books.assigned.add((account, number))
            if kind == "missing":
                edits.miss(SCHOOL, person.user_id, number)
                self.books.rows[account]["missing", str(number)] += 1
            elif kind == "retitled":
                edits.retitle(SCHOOL, person.user_id, number, "Another title")
                self.books.rows[account]["assignment", str(number)] += 1
            else:
                edits.publish(SCHOOL, person.user_id, number)
                self.books.rows[account]["result", str(number)] += 1

    def _expect_results(self, today: date) -> None:
        """The school publishes results on the day after the assignment was due, also at weekends,
        and says then what was not handed in. Homework has none."""
        since = 3 if today.weekday() == 0 else 1
        days = [today - timedelta(days=number + 1) for number in range(since)]
        for account, person in self.people.items():
            found = {
                each.id: each
                for monday in (monday_of(days[-1]), monday_of(today))
                for each in self._assignments(person, monday)
            }
            for number, each in found.items():
                told = self.books.rows[account]["result", str(number)]
                if each.index < 2 and each.due.date() in days and not told:
                    self.books.rows[account]["result", str(number)] += 1
                missing = each.handed_in(today) == "EXPIRED_NOT_SUBMITTED"
                if missing and each.due.date() in days:
                    self.books.rows[account]["missing", str(number)] += 1

    def _publish_news(self) -> None:
        self.simulator.state.settings.news_items += 1
        [newest, *_] = news_of(SCHOOL, self.simulator.state.settings.news_items, self.now().date())
        for account in self.people:
            self.books.rows[account]["news", str(newest.id)] += 1

    def _write_to_everybody(self) -> None:
        """A message, while an older one is deleted."""
        state = self.simulator.state
        state.settings.messages += 1
        state.gone_messages.add(self.random.randrange(1, state.settings.messages - 3))
        for account, person in self.people.items():
            number = person.user_id * 100 + state.settings.messages
            self.books.rows[account]["inbox", str(number)] += 1

    def _assignments(self, person: Person, monday: date) -> list[Assignment]:
        return assignments.of_week(class_of(person, self.simulator.state), monday)

    def _flicker(self, today: date) -> None:
        """A change that one look sees at most."""
        account = self.random.choice(list(self.people))
        day, start = self._day_ahead(today), self.random.choice(SLOTS)
        if self._is_taken(account, day, start):
            return
        user_id = self.people[account].user_id
        self.simulator.state.schedule.add(SCHOOL, user_id, "room", day, start, "Flicker")
        look_at_the_school()
        self.simulator.state.schedule.undo(SCHOOL, user_id)

    def _go_wrong(self, operation: str, value: str, minutes: int) -> None:
        self.simulator.faults.set(operation, value, school=SCHOOL)
        self.run_until(self.now() + timedelta(minutes=minutes))
        self.simulator.faults.clear()
        # The circuit breaker has the real clock, on which its ten seconds have not passed.
        shared_client.reset()

    def end_login(self) -> None:
        """Upstream revokes the tokens of somebody, who is told nothing else from now on."""
        account = self.random.choice([each for each in self.people if each not in self.books.dead])
        self.books.dead.add(account)
        self.simulator.state.kill_tokens(self.people[account])
        self.simulator.state.kill_web_sessions(self.people[account])

    def _some(self) -> list[int]:
        living = [each for each in self.people if each not in self.books.dead]
        return self.random.sample(living, max(1, len(living) // 5))

    def _day_ahead(self, today: date) -> date:
        """A school day within a week, and not so near that it is over before it can be told."""
        days = [today + timedelta(days=number) for number in range(4, 8)]
        return self.random.choice([day for day in days if day.weekday() < 5])

    def _is_taken(self, account: int, day: date, start: str) -> bool:
        """Whether something else happened to this lesson, or there is none."""
        if account in self.books.dead or (account, monday_of(day)) in self.books.closed:
            return True
        if (account, day, start) in self.books.touched:
            return True
        return start != "16:00" and not self._lessons_at(self.people[account], day, start)

    def _lessons_at(self, person: Person, day: date, start: str) -> int:
        """How many different lessons begin then: each is changed."""
        found = lessons_of(person, day.isocalendar().week, self.now().date())
        at = [each for each in found if each["startDate"] == f"{day}T{start}"]
        return len({(each.get("eventId"), each["name"]) for each in at})


def _at(day: date, hour: int) -> datetime:
    return datetime.combine(day, time(hour), STOCKHOLM)
