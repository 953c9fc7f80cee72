"""What a look asks: at most four things, the lessons first and the lists by turns."""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from django.utils import timezone

from schoolproxy.limits import FEATURES_WAIT_SECONDS, WATCH_MENU_SECONDS, WATCH_QUESTIONS
from schoolproxy.services.watch.lists import ListName, Source
from schoolproxy.services.watch.state import WatchState, Week, week_key, weeks_of_window
from schoolproxy.services.watch.watched_lists import LISTS, Rows
from upstream.calls.lessons import fetch_lessons
from upstream.calls.menu import fetch_features
from upstream.deadline import deadline_scope
from upstream.errors import (
    NotForThisRole,
    UpstreamInvalid,
    UpstreamNotFound,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from upstream.records import ProvenSession
from upstream.shared_client import client


@dataclass(frozen=True, slots=True)
class Question:
    """One request for school data. Without a year and a week: for a list that has no weeks."""

    source: Source
    year: int = 0
    week: int = 0

    @property
    def key(self) -> str:
        """The week, or the section of the list."""
        if self.week or self.source == "lessons":
            return week_key(self.year, self.week)
        return LISTS[self.source].section or ""


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


def plan_look(state: WatchState, kinds: set[str], now: datetime, *, regular: bool) -> Plan:
    """The questions of a look for somebody who wants to be told of these kinds."""
    weeks = weeks_of_window(timezone.localdate(now))
    lessons = _questions_about_lessons(kinds, weeks)
    names = _wanted_lists(kinds)
    if not regular:
        candidates = lessons + _questions_about_lists(names, weeks)
        unconfirmed = [
            question
            for question in candidates
            if state.has_unconfirmed(question.source, question.key)
        ]
        if unconfirmed:
            return Plan(unconfirmed[:WATCH_QUESTIONS], regular=False)
    asks_menu = (
        any(LISTS[name].feature for name in names)
        and now.timestamp() - state.menu_at >= WATCH_MENU_SECONDS
    )
    available = [name for name in names if asks_menu or name not in state.unavailable]
    others = _questions_about_lists(available, weeks)
    turn = state.turn % len(others) if others else 0
    questions = [*lessons, *others[turn:], *others[:turn]][:WATCH_QUESTIONS]
    return Plan(questions, asks_menu=asks_menu)


def all_questions(kinds: set[str], today: date) -> list[Question]:
    """All that the looks of these days ask for somebody who wants to be told of these kinds."""
    weeks = weeks_of_window(today)
    lessons = _questions_about_lessons(kinds, weeks)
    return lessons + _questions_about_lists(_wanted_lists(kinds), weeks)


def _questions_about_lessons(kinds: set[str], weeks: list[Week]) -> list[Question]:
    return [Question("lessons", *week) for week in weeks] if "schedule" in kinds else []


def _wanted_lists(kinds: set[str]) -> list[ListName]:
    return [name for name, watched in LISTS.items() if watched.is_wanted(kinds)]


def _questions_about_lists(names: Iterable[ListName], weeks: list[Week]) -> list[Question]:
    """The questions about these lists: of those that have weeks, this one and the next."""
    questions: list[Question] = []
    for name in names:
        if LISTS[name].section is None:
            questions += [Question(name, *week) for week in weeks[:2]]
        else:
            questions.append(Question(name))
    return questions


def fetch_answers(plan: Plan, web: ProvenSession) -> tuple[list[Answer], list[ListName]]:
    """The answers that upstream gave, and the lists that the school does not have. What it refused,
    or nobody can read, is left out.

    Raises: SessionDead, and a failure when there is no answer at all. For a look that only confirms
    a change, that is one of the school itself, not one of the page.
    """
    answers: list[Answer] = []
    unavailable = _lists_switched_off(web) if plan.asks_menu else []
    failure: Exception | None = None
    for question in plan.questions:
        if question.source in unavailable:
            continue
        try:
            answers.append(Answer(question, _fetch(question, web)))
        except (UpstreamUnavailable, UpstreamTimeout) as error:
            failure = error
            break  # the school is away, or the quota is spent
        except (UpstreamNotFound, NotForThisRole) as error:
            if question.source != "lessons" and LISTS[question.source].feature:
                unavailable.append(question.source)
            else:
                failure = error if plan.regular else None
        except UpstreamInvalid as error:
            failure = error if plan.regular else None
    if not answers and failure is not None:
        raise failure
    return answers, unavailable


def _lists_switched_off(web: ProvenSession) -> list[ListName]:
    """Those that the school has switched off, by its menu. A menu that cannot be read says nothing.

    Raises: SessionDead.
    """
    try:
        with deadline_scope(time.monotonic() + FEATURES_WAIT_SECONDS):
            features = fetch_features(client(), web=web)
    except (UpstreamTimeout, UpstreamUnavailable):
        return []
    return [
        name
        for name, watched in LISTS.items()
        if watched.feature and features[watched.feature] is False
    ]


def _fetch(question: Question, web: ProvenSession) -> Rows:
    if question.source == "lessons":
        return fetch_lessons(client(), web=web, week=question.week)
    watched = LISTS[question.source]
    if web.role == "teacher" and not watched.for_teachers:
        raise NotForThisRole("nobody has seen a teacher's side of this")
    return watched.fetch(web, question.year, question.week)
