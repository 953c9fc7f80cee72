"""How soon a change is told: the table in docs/watch.md, for so many people on one budget.

The school's system really answers; only time is compressed. `make soak` tries every row.
"""

import os
import re
from datetime import datetime, time, timedelta
from random import Random

import pytest
from django.db.models import Min
from django.utils import timezone
from pytest_django.fixtures import Settings

from notifications.models import Notification
from schoolproxy.models import Watch
from tests.schoolproxy.term import SCHOOL, Term
from tests.schoolproxy.watching import MONDAY, STOCKHOLM, clock
from tests.service_process import ROOT
from upstream.simulator.server import Simulator

CHANGES = 40
PEOPLE = (50, 100, 170, 340) if os.environ.get("SOAK") else (50,)
OPENS, CLOSES = time(6), time(21)

pytestmark = [pytest.mark.soak, pytest.mark.slow, pytest.mark.django_db]


@pytest.mark.parametrize("people", PEOPLE)
def test_changes_are_told_as_soon_as_the_documents_say(
    simulator: Simulator, settings: Settings, people: int
) -> None:
    settings.RATE_LIMITS = False
    interval, on_average, at_worst = _stated(people)
    begin = datetime.combine(MONDAY, OPENS, STOCKHOLM)
    with clock(begin) as traveller:
        term = Term(simulator, traveller, pupils=people, seed=people)
        begin += 3 * interval  # everybody has been looked at
        if begin + interval + at_worst > datetime.combine(MONDAY, CLOSES, STOCKHOLM):
            begin = datetime.combine(MONDAY + timedelta(days=1), OPENS, STOCKHOLM)
        changed = _change_lessons(term, begin, interval)
        term.run_until(begin + interval + at_worst)
        told = dict(
            Notification.objects.filter(kind="schedule").values_list("account_id", "created_at")
        )
        longest_ago = timezone.now() - Watch.objects.aggregate(at=Min("last_look_at"))["at"]
    delays = [told[account] - at for account, at in changed.items()]
    average = sum(delays, timedelta()) / len(delays)
    assert longest_ago <= interval
    assert average <= 1.2 * on_average  # of so few
    assert max(delays) <= at_worst


def _change_lessons(term: Term, begin: datetime, within: timedelta) -> dict[int, datetime]:
    """Change a lesson of some pupils, one after another; by account, when it was."""
    chosen = Random(1)
    pupils = chosen.sample(list(term.people), CHANGES)
    times = sorted(begin + chosen.random() * within for _ in pupils)
    for account, at in zip(pupils, times, strict=True):
        term.run_until(at)
        day, user_id = MONDAY + timedelta(days=3), term.people[account].user_id
        term.simulator.state.schedule.add(SCHOOL, user_id, "room", day, "08:20", "Aula")
    return dict(zip(pupils, times, strict=True))


def _stated(people: int) -> list[timedelta]:
    """The row of the table: looked at every, told after on average, at worst."""
    text = (ROOT / "docs" / "watch.md").read_text()
    [row] = re.findall(rf"^\| {people} \|(.*)\|$", text, re.MULTILINE)
    return [_duration(each) for each in row.split("|")]


def _duration(text: str) -> timedelta:
    """Of `6 h 4 min`."""
    found = re.fullmatch(r"(?:(\d+) h )?(\d+) min", text.strip())
    assert found
    hours, minutes = found.groups()
    return timedelta(hours=int(hours or 0), minutes=int(minutes))
