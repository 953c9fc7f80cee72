"""Compares what a person's own apps have just read, which costs the school no request."""

import logging

from django.utils import timezone

from accounts.callers import Caller
from schoolproxy.models import Watch
from schoolproxy.services.watch.lists import Source
from schoolproxy.services.watch.questions import Answer, Question, all_questions
from schoolproxy.services.watch.record import Observation, record, wanted_kinds
from schoolproxy.services.watch.state import weeks_of_window
from schoolproxy.services.watch.watched_lists import LISTS, Rows
from upstream.records import ChosenChild

logger = logging.getLogger(__name__)


def compare(
    caller: Caller,
    child: ChosenChild | None,
    source: Source,
    rows: Rows,
    week: int | None = None,
    year: int | None = None,
) -> None:
    """Compare a fresh answer of upstream, if the account watches and the week is one that looks
    ask for. Only for an answer that is proven to be about the child.

    Never raises: a read must not fail because of it.
    """
    try:
        question = _question(source, week, year)
        if question is not None:
            _compare(caller, child, question, rows)
    except Exception:
        logger.exception("a read could not be compared with what the watch knows")


def _compare(caller: Caller, child: ChosenChild | None, question: Question, rows: Rows) -> None:
    watches = Watch.objects.filter(account=caller.account_id, child_id=child.id if child else 0)
    if child is not None:
        watches = watches.filter(org_id=child.org_id)
    watch_id = watches.values_list("pk", flat=True).first()
    if watch_id is None:
        return
    kinds = wanted_kinds(caller.account_id)
    if question in all_questions(kinds, timezone.localdate()):
        observed = Observation(
            answers=[Answer(question, rows)],
            session_id=caller.session_key,
            child_name=child.name if child else "",
            by_app=True,
        )
        record(watch_id, observed)


def _question(source: Source, week: int | None, year: int | None) -> Question | None:
    """The question of a look that has this answer; upstream's weeks of lessons have no year."""
    if source != "lessons" and LISTS[source].section:
        return Question(source)
    weeks = weeks_of_window(timezone.localdate())
    if source == "assignments":
        weeks = weeks[:2]
    for window_year, window_week in weeks:
        if window_week == week and year in (None, window_year):
            return Question(source, window_year, window_week)
    return None
