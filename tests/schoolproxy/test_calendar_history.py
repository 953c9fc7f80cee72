"""Which lesson of an answer is which entry of a calendar."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from schoolproxy.services.calendar.entries import MAX_LESSONS
from schoolproxy.services.calendar.history import (
    KnownLesson,
    follow,
    from_values,
    shown_entries,
    to_values,
    weeks_read,
)

MONDAY = datetime(2026, 3, 9, 7, tzinfo=UTC)
WEEK = (2026, 11)


def lesson(number: Any, times: str, **fields: Any) -> dict[str, Any]:
    begin, end = times.split("-")
    day = {"startDate": f"2026-03-10T{begin}", "endDate": f"2026-03-10T{end}"}
    return {"eventId": number, "name": "Ma"} | day | fields


def seen(
    before: list[KnownLesson], *lessons: dict[str, Any], hours: int = 0, unreadable: int = 0
) -> list[KnownLesson]:
    found = follow(
        from_values(to_values(before)),
        lessons,
        owner="1:0",
        read={WEEK: unreadable},
        at=MONDAY + timedelta(hours=hours),
    )
    assert len({known.uid for known in found}) == len(found)
    return found


def shown(known: list[KnownLesson]) -> list[tuple[str, str, bool]]:
    """(uid, begin, gone) of each."""
    return [(row.uid, row.lesson["startDate"][11:], row.gone) for row in known]


def test_a_number_that_is_there_twice_a_day_is_two_entries() -> None:
    early, late = lesson(5, "08:00-09:00"), lesson(5, "13:00-14:00")
    first = seen([], late, early)
    [(one, *_), (two, *_)] = shown(first)
    assert shown(seen(first, early, late)) == shown(first)
    assert shown(seen(first, late)) == [(one, "08:00", True), (two, "13:00", False)]
    gone = seen(first, late)
    moved = lesson(5, "14:00-15:00")
    assert shown(seen(gone, moved)) == [(one, "08:00", True), (two, "14:00", False)]
    assert shown(seen(gone, early, late)) == shown(first)


def test_two_lessons_with_all_the_same_are_told_apart_by_the_rest() -> None:
    rooms = [lesson(None, "08:00-09:00", room=room) for room in ("A", "B")]
    first = seen([], *rooms)
    assert shown(seen(first, *reversed(rooms), hours=1)) == shown(first)
    assert {row.changed_at for row in seen(first, *reversed(rooms), hours=1)} == {
        int(MONDAY.timestamp())
    }


def test_only_what_differs_has_changed() -> None:
    first = seen([], lesson(1, "08:00-09:00"), lesson(2, "10:00-11:00"))
    second = seen(first, lesson(1, "08:00-09:00", room="C"), lesson(2, "10:00-11:00"), hours=3)
    begin = int(MONDAY.timestamp())
    assert [row.changed_at for row in second] == [begin + 3 * 3600, begin]
    spaces = lesson(1, "08:00-09:00", room=" C ")
    third = seen(second, spaces, lesson(2, "10:00-11:00"), hours=5)
    assert [row.changed_at for row in third] == [begin + 3 * 3600, begin]


def test_an_empty_week_is_believed_half_an_hour_later() -> None:
    tuesday, others = lesson(1, "08:00-09:00"), {"startDate": "2026-03-17T08:00", "eventId": 7}
    first = seen([], tuesday, others)
    doubted = seen(first, others)
    assert [row.gone for row in doubted] == [False, False]
    assert [row.entry for row in doubted] == [row.entry for row in first]
    assert [row.gone for row in seen(doubted, others, hours=1)] == [True, False]
    # It was a failure of the school: what is empty later is new.
    back = seen(doubted, tuesday, others, hours=1)
    assert back == first
    assert [row.gone for row in seen(back, others, hours=2)] == [False, False]


@pytest.mark.parametrize(("unreadable", "gone"), [(0, 0), (1, 2), (2, 0)])
def test_rows_that_cannot_be_read_may_be_the_lessons_that_are_missing(
    unreadable: int, gone: int
) -> None:
    first = seen([], lesson(1, "08:00-09:00"), lesson(2, "10:00-11:00"))
    assert sum(row.gone for row in seen(first, unreadable=unreadable)) == gone


def test_a_lesson_of_a_week_that_was_not_read_stays() -> None:
    first = seen([], lesson(1, "08:00-09:00"))
    read = {(2026, 12): 0}
    assert follow(first, [], owner="1:0", read=read, at=MONDAY + timedelta(hours=1)) == first


def test_a_lesson_of_several_days_is_over_after_the_last() -> None:
    days = lesson(1, "00:00-00:00", allDay=True, endDate="2026-03-12T23:59")
    gone = seen(seen(seen([], days)), hours=1)
    for day, entries in ((12, 1), (13, 0)):
        assert len(shown_entries(gone, date(2026, 3, day))) == entries
    assert seen(gone, hours=3 * 24)[0].gone
    assert seen(gone, hours=4 * 24) == []


def test_what_the_school_removes_from_the_past_is_not_cancelled() -> None:
    first = seen([], lesson(1, "08:00-09:00"))
    assert seen(first, hours=48) == []


def test_only_so_many_lessons_are_kept_that_are_gone() -> None:
    known: list[KnownLesson] = []
    for answer in range(4):
        numbers = range(answer * MAX_LESSONS, (answer + 1) * MAX_LESSONS)
        known = seen(known, *(lesson(n, "08:00-09:00", name=str(n)) for n in numbers))
    assert len(known) == 2 * MAX_LESSONS
    assert sum(row.gone for row in known) == MAX_LESSONS


def test_which_weeks_were_read() -> None:
    weeks = [WEEK, (2026, 12), (2026, 13)]
    other_year = {"startDate": "2025-03-18T08:00"}
    answers = [[lesson(1, "08:00-09:00"), {"startDate": "x"}], [other_year], []]
    assert weeks_read(weeks, answers) == {WEEK: 1, (2026, 13): 0}
