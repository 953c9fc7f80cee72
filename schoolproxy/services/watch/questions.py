"""What a look asks: at most four things, the lessons first and the rest by turns."""

from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from schoolproxy.limits import WATCH_QUESTIONS
from schoolproxy.services.watch.state import WatchState, week_key, weeks_of_window
from upstream.calls.assignments import fetch_week_assignments
from upstream.calls.lessons import fetch_lessons
from upstream.calls.news import fetch_news
from upstream.errors import (
    NotForThisRole,
    UpstreamInvalid,
    UpstreamNotFound,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from upstream.records import ProvenSession
from upstream.shared_client import client

Rows = list[dict[str, Any]]
Part = Literal["lessons", "assignments", "news"]


@dataclass(frozen=True, slots=True)
class Question:
    """One request for school data; news have no week."""

    part: Part
    year: int = 0
    week: int = 0

    @property
    def key(self) -> str:
        return "news" if self.part == "news" else week_key(self.year, self.week)


@dataclass(frozen=True, slots=True)
class Answer:
    question: Question
    rows: Rows


@dataclass(frozen=True, slots=True)
class Plan:
    """`regular`: the look does more than confirm a change."""

    questions: list[Question]
    regular: bool = True


def plan_look(state: WatchState, kinds: set[str], today: date, *, regular: bool) -> Plan:
    """The questions of a look for somebody who wants to be told of these kinds."""
    weeks = weeks_of_window(today)
    lessons = [Question("lessons", *each) for each in weeks] if "schedule" in kinds else []
    others: list[Question] = [Question("news")] if "news" in kinds else []
    if kinds & {"assignment", "result"}:
        others += [Question("assignments", *each) for each in weeks[:2]]
    if not regular:
        open_weeks, open_lists = state.open_weeks(), state.open_lists()
        again = [each for each in lessons if each.key in open_weeks]
        again += [each for each in others if each.key in open_lists]
        if again:
            return Plan(again[:WATCH_QUESTIONS], regular=False)
    turn = state.turn % len(others) if others else 0
    return Plan([*lessons, *others[turn:], *others[:turn]][:WATCH_QUESTIONS])


def ask(plan: Plan, web: ProvenSession) -> list[Answer]:
    """The answers that upstream gave. What it refused, or nobody can read, is left out.

    Raises: SessionDead, and the first failure when there is no answer at all.
    """
    answers: list[Answer] = []
    failure: Exception | None = None
    for question in plan.questions:
        try:
            answers.append(Answer(question, _fetch(question, web)))
        except (UpstreamUnavailable, UpstreamTimeout) as error:
            failure = error
            break  # it is away, or the quota is spent
        except (UpstreamInvalid, UpstreamNotFound, NotForThisRole) as error:
            failure = error
    if not answers and failure is not None:
        raise failure
    return answers


def _fetch(question: Question, web: ProvenSession) -> Rows:
    if question.part == "news":
        return [{"id": item.id, "title": item.title} for item in fetch_news(client(), web=web)]
    if question.part == "lessons":
        return fetch_lessons(client(), web=web, week=question.week)
    return fetch_week_assignments(client(), web=web, week=question.week, year=question.year)
