"""What counts as a change of a schedule, and what does not."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schoolproxy.services.watch.lessons import Change, ReadWeek, compare, read_week
from schoolproxy.services.watch.watched_lists import read_assignments, read_news
from tests.schoolproxy.watched_lessons import (
    DAYS,
    NONSENSE,
    TIMES,
    WEEK,
    YEAR,
    Row,
    noisy,
    row,
    weeks,
)


def read(rows: list[Row]) -> ReadWeek:
    found = read_week(rows, YEAR, WEEK)
    assert found is not None
    return found


def changes(before: list[Row], after: list[Row]) -> list[Change]:
    return compare(read(before).lessons, read(after).lessons).changes()


def kinds(before: list[Row], after: list[Row]) -> list[str]:
    return [change.kind for change in changes(before, after)]


@given(st.data())
def test_order_colours_and_duplicates_are_no_changes(data: st.DataObject) -> None:
    week = data.draw(weeks())
    assert changes(week, data.draw(noisy(week))) == []


@given(st.data())
def test_exactly_the_scripted_changes_are_found(data: st.DataObject) -> None:
    week = data.draw(weeks())
    scripted = ["", "cancelled", "room", "teacher", "moved"]
    plan = [data.draw(st.sampled_from(scripted)) for _ in week]
    edits: dict[str, Any] = {
        "room": {"room": "Aula"},
        "teacher": {"teacher": "Görel Wästlund"},
    }
    after: list[Row] = []
    for lesson, what in zip(week, plan, strict=True):
        day = lesson["startDate"][:10]
        moved = {"startDate": f"{day}T07:0{len(after) % 10}"}
        if what != "cancelled":
            after.append(lesson | (moved if what == "moved" else edits.get(what, {})))
    added = data.draw(st.sampled_from(DAYS))
    after.append(row(999, added, ("15:00", "15:45")))
    found = changes(week, data.draw(noisy(after)))
    told = sorted((change.kind, change.day) for change in found)
    expected = [
        (what, lesson["startDate"][:10]) for lesson, what in zip(week, plan, strict=True) if what
    ]
    assert told == sorted([*expected, ("added", added)])


@given(weeks(), weeks())
def test_accepted_changes_lead_from_one_week_to_the_other(before: Any, after: Any) -> None:
    old, new = read(before).lessons, read(after).lessons
    comparison = compare(old, new)
    all_of_them = {change.digest for change in comparison.changes()}
    assert set(comparison.merged(all_of_them)) == set(new)
    assert set(comparison.merged(set())) == set(old)


def test_a_lesson_keeps_its_number_when_it_moves_on_the_same_day() -> None:
    before, after = row(1, DAYS[0], TIMES[0]), row(1, DAYS[0], TIMES[3])
    [change] = changes([before], [after])
    assert change.fields() == {
        "change": "moved",
        "date": DAYS[0],
        "lesson": {
            "eventId": "1",
            "name": "Ma",
            "startDate": f"{DAYS[0]}T08:20",
            "endDate": f"{DAYS[0]}T09:25",
            "room": "B204",
            "teacher": "Torbjörn Ekvik, Åsa Lindroos",
        },
        "after": change.after and change.after.fields(),
    }


def test_a_number_that_comes_again_on_another_day_is_another_lesson() -> None:
    before = [row(1, DAYS[0], TIMES[0]), row(1, DAYS[2], TIMES[0])]
    assert kinds(before, before[:1]) == ["cancelled"]
    assert kinds(before[:1], before) == ["added"]


def test_parallel_groups_are_lessons_of_their_own() -> None:
    spanish, german = (row(n, DAYS[1], TIMES[0], name=name) for n, name in ((7, "S"), (8, "T")))
    assert kinds([spanish, german], [german]) == ["cancelled"]
    found = changes([spanish, german], [spanish | {"room": "D9"}, german])
    assert [(change.kind, change.lesson.name) for change in found] == [("room", "S")]


def test_numbers_that_were_given_anew_are_no_changes() -> None:
    before = [row(n, day, TIMES[0]) for n, day in enumerate(DAYS)]
    assert changes(before, [lesson | {"eventId": n + 50} for n, lesson in enumerate(before)]) == []


def test_a_lesson_without_a_number_is_known_by_its_times_and_name() -> None:
    lesson = row(1, DAYS[0], TIMES[0])
    del lesson["eventId"]
    assert kinds([lesson], [lesson | {"room": "C3"}]) == ["room"]
    assert kinds([lesson], [lesson | {"startDate": f"{DAYS[0]}T08:00"}]) == ["added", "cancelled"]


def test_an_answer_of_another_week_or_without_any_time_is_not_a_week() -> None:
    assert read_week([row(1, "2025-03-10", TIMES[0])], YEAR, WEEK) is None
    assert read_week([{"eventId": 1, "startDate": "soon"}], YEAR, WEEK) is None
    assert read_week([], YEAR, WEEK) == ReadWeek((), 0)


@pytest.mark.parametrize(("status", "there"), [(3, 0), ("3", 0), (2, 1), (-1, 1), (None, 1)])
def test_a_lesson_that_is_struck_through_is_not_there(status: object, there: int) -> None:
    found = read_week([row(1, DAYS[0], TIMES[0]) | {"status": status}], YEAR, WEEK)
    assert found is not None
    assert (len(found.lessons), found.unreadable) == (there, 0)


@given(st.lists(st.dictionaries(st.sampled_from([*row(1, "", ("", "")), "id", "title"]), NONSENSE)))
def test_nonsense_is_read_without_a_failure(rows: list[Row]) -> None:
    mixed = [row(1, DAYS[0], TIMES[0]), *rows, *(row(2, DAYS[1], TIMES[1]) | each for each in rows)]
    found = read(mixed).lessons
    for change in compare(found, read([row(1, DAYS[0], TIMES[0])]).lessons).changes():
        assert change.digest
        assert change.fields()["change"] == "cancelled"
    read_assignments(rows)
    read_news(rows)
