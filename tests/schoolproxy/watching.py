"""A pupil whose school is watched, on a clock that the test moves."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import time_machine

from accounts.models import Account
from notifications.models import Notification, NotificationSettings
from notifications.signals import settings_changed
from schoolproxy.models import Watch
from schoolproxy.services.watch.looks import look_at_the_school
from upstream.simulator.people import Person
from upstream.simulator.server import Simulator

STOCKHOLM = ZoneInfo("Europe/Stockholm")
MONDAY = date(2026, 3, 9)
# A lesson of the simulator begins at each of these times on each of these days.
MORNING = datetime(2026, 3, 9, 8, 0, tzinfo=STOCKHOLM)


@contextmanager
def clock(begin: datetime = MORNING) -> Iterator[time_machine.Traveller]:
    with time_machine.travel(begin, tick=False) as traveller:
        yield traveller


def watch(name: str = "elsa.nordvall", *, on: bool = True) -> int:
    """Switch the watch on, or off, as the settings do; returns the account's id."""
    account = Account.objects.get(username=name)
    NotificationSettings.objects.update_or_create(pk=account.pk, defaults={"watch": on})
    settings_changed.send(NotificationSettings, account_id=account.pk)
    return account.pk


def later(traveller: time_machine.Traveller, **passed: float) -> None:
    """Move the clock, and make the looks that are due then."""
    traveller.shift(timedelta(**passed))
    look_at_the_school()


def look_twice(traveller: time_machine.Traveller) -> None:
    """The next look, and the one that confirms what it saw."""
    later(traveller, minutes=70)
    later(traveller, minutes=2)


def told(account_id: int, kind: str = "schedule") -> list[dict[str, Any]]:
    """The details of what a person was told, the oldest first."""
    rows = Notification.objects.filter(account_id=account_id, kind=kind).order_by(
        "created_at", "id"
    )
    return [each.read_details() or {} for each in rows]


def kinds_told(account_id: int) -> list[list[str]]:
    """The changes of each notification about the schedule."""
    return [[change["change"] for change in each["changes"]] for each in told(account_id)]


def pupil(simulator: Simulator, name: str = "elsa.nordvall", school: str = "bjorkdalen") -> Person:
    return simulator.state.person(school, name)


def edit(
    simulator: Simulator,
    kind: str,
    day: date = MONDAY + timedelta(days=1),
    start: str = "08:20",
    value: str = "",
    name: str = "elsa.nordvall",
) -> None:
    """Change a lesson of a pupil of bjorkdalen."""
    person = pupil(simulator, name)
    simulator.state.schedule.add(person.school, person.user_id, kind, day, start, value)


def due(account_id: int) -> datetime:
    return min(Watch.objects.filter(account=account_id).values_list("next_look_at", flat=True))
