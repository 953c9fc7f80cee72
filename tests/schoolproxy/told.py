"""What people were told of their school, to be compared with the books of a term."""

from collections import Counter, deque
from datetime import date, timedelta
from typing import Any

from notifications.models import Notification
from tests.schoolproxy.watching import told

# (date, begin, kind): what a person is told of one lesson.
Told = tuple[str, str, str]
# (kind of the notification, or `missing`; id of the assignment, news item or message).
ToldRow = tuple[str, str]


def told_of_lessons(account: int) -> tuple[Counter[Told], list[set[str]]]:
    """What a person was told: changes of single lessons, and weeks that were emptied."""
    single: Counter[Told] = Counter()
    emptied: list[set[str]] = []
    for details in told(account):
        changes: list[dict[str, Any]] = details["changes"]
        weeks: dict[date, list[str]] = {}
        for change in changes:
            lesson = change["lesson"] or change["after"]
            start = lesson["startDate"]
            if change["change"] == "cancelled":
                monday = monday_of(date.fromisoformat(start[:10]))
                weeks.setdefault(monday, []).append(f"{start} {lesson['name']}")
            else:
                single[start[:10], start[11:], change["change"]] += 1
        for lines in weeks.values():
            if len(lines) > 15:
                emptied.append(set(lines))
            else:
                single.update((line[:10], line[11:16], "cancelled") for line in lines)
    return single, emptied


def told_of_rows(account: int) -> Counter[ToldRow]:
    """What a person was told of assignments, assessments, news and messages."""
    kinds = ("assignment", "result", "news", "inbox")
    return Counter(
        ("missing" if details["topic"] == "missing" else kind, row["id"])
        for kind in kinds
        for details in told(account, kind)
        for row in details["items"]
    )


def most_within(seconds: float, moments: list[float]) -> int:
    """The most of these times (Unix seconds) that lie in any so many seconds."""
    window: deque[float] = deque()
    most = 0
    for moment in sorted(moments):
        window.append(moment)
        while moment - window[0] >= seconds:
            window.popleft()
        most = max(most, len(window))
    return most


def notices_of_dead_logins(account: int) -> int:
    return Notification.objects.filter(account=account, kind="account").count()


def monday_of(day: date) -> date:
    return day - timedelta(days=day.weekday())
