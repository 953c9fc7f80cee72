"""What a look asks: at most four things, the lessons first and the rest by turns."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime

from django.utils import timezone

from schoolproxy.limits import WATCH_MENU_SECONDS, WATCH_QUESTIONS
from schoolproxy.services.watch.lists import Part
from schoolproxy.services.watch.state import WatchState, week_key, weeks_of_window
from schoolproxy.services.watch.watched_lists import LISTS, Rows, lists_switched_off
from upstream.calls.lessons import fetch_lessons
from upstream.errors import (
    NotForThisRole,
    UpstreamInvalid,
    UpstreamNotFound,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from upstream.records import ProvenSession
from upstream.shared_client import client

Week = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Question:
    """One request for school data; a list without weeks has none."""

    part: Part
    year: int = 0
    week: int = 0

    @property
    def key(self) -> str:
        return week_key(self.year, self.week) if self.week else LISTS[self.part].section or ""


@dataclass(frozen=True, slots=True)
class Answer:
    question: Question
    rows: Rows


@dataclass(frozen=True, slots=True)
class Plan:
    """`regular`: the look does more than confirm a change. `asks_menu`: it also asks what the
    school has switched on."""

    questions: list[Question]
    regular: bool = True
    asks_menu: bool = False

    @property
    def requests(self) -> int:
        return len(self.questions) + self.asks_menu


@dataclass(slots=True)
class Found:
    """The answers of a look, and the lists that the school does not have."""

    answers: list[Answer] = field(default_factory=list)
    off: list[Part] = field(default_factory=list)


def plan_look(state: WatchState, kinds: set[str], now: datetime, *, regular: bool) -> Plan:
    """The questions of a look for somebody who wants to be told of these kinds."""
    weeks = weeks_of_window(timezone.localdate(now))
    lessons = _lessons(kinds, weeks)
    wanted = _wanted_lists(kinds)
    if not regular:
        again = [each for each in lessons if each.key in state.open_weeks()]
        again += [each for each in _of_lists(wanted, weeks) if state.is_open(each.part, each.key)]
        if again:
            return Plan(again[:WATCH_QUESTIONS], regular=False)
    asks_menu = (
        any(LISTS[name].feature for name in wanted)
        and now.timestamp() - state.menu_at >= WATCH_MENU_SECONDS
    )
    others = _of_lists((name for name in wanted if asks_menu or name not in state.off), weeks)
    turn = state.turn % len(others) if others else 0
    questions = [*lessons, *others[turn:], *others[:turn]][:WATCH_QUESTIONS]
    return Plan(questions, asks_menu=asks_menu)


def all_questions(kinds: set[str], today: date) -> list[Question]:
    """All that the looks of these days ask for somebody who wants to be told of these kinds."""
    weeks = weeks_of_window(today)
    return _lessons(kinds, weeks) + _of_lists(_wanted_lists(kinds), weeks)


def _lessons(kinds: set[str], weeks: list[Week]) -> list[Question]:
    return [Question("lessons", *each) for each in weeks] if "schedule" in kinds else []


def _wanted_lists(kinds: set[str]) -> list[Part]:
    return [name for name, watched in LISTS.items() if kinds & watched.kinds]


def _of_lists(names: Iterable[Part], weeks: list[Week]) -> list[Question]:
    """The questions about these lists: of those that have weeks, this one and the next."""
    questions: list[Question] = []
    for name in names:
        if LISTS[name].section is None:
            questions += [Question(name, *each) for each in weeks[:2]]
        else:
            questions.append(Question(name))
    return questions


def ask(plan: Plan, web: ProvenSession) -> Found:
    """The answers that upstream gave. What it refused, or nobody can read, is left out.

    Raises: SessionDead, and a failure when there is no answer at all. For a look that only confirms
    a change, that is one of the school itself, not one of the page.
    """
    found = Found()
    if plan.asks_menu:
        found.off += lists_switched_off(web)
    failure: Exception | None = None
    for question in plan.questions:
        if question.part in found.off:
            continue
        try:
            found.answers.append(Answer(question, _fetch(question, web)))
        except (UpstreamUnavailable, UpstreamTimeout) as error:
            failure = error
            break  # it is away, or the quota is spent
        except (UpstreamInvalid, UpstreamNotFound, NotForThisRole) as error:
            if _is_refused(question, error):
                found.off.append(question.part)
            else:
                failure = error if plan.regular else None
    if not found.answers and failure is not None:
        raise failure
    return found


def _is_refused(question: Question, error: Exception) -> bool:
    """Whether the school hides a list that it may have switched off."""
    watched = LISTS.get(question.part)
    feature = watched.feature if watched else None
    return feature is not None and not isinstance(error, UpstreamInvalid)


def _fetch(question: Question, web: ProvenSession) -> Rows:
    watched = LISTS.get(question.part)
    if watched is None:
        return fetch_lessons(client(), web=web, week=question.week)
    return watched.fetch(web, question.year, question.week)
