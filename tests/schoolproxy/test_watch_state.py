"""When a change counts: what a second look says again."""

from datetime import date

import orjson
import pytest

from schoolproxy.services.watch.confirmation import AnswerTime
from schoolproxy.services.watch.lessons import read_week
from schoolproxy.services.watch.lists import KnownRow
from schoolproxy.services.watch.state import WatchState, weeks_of_window
from schoolproxy.services.watch.watched_lists import read_assignments, read_messages, read_news
from tests.schoolproxy.watched_lessons import DAYS, TIMES, WEEK, YEAR, Row, row

MONDAY = date(2026, 3, 9)
KEY = "2026-11"
LESSONS = [row(n, day, times) for day in DAYS for n, times in enumerate(TIMES)]
CANCELLED = LESSONS[1:]
OTHER_ROOM = [LESSONS[0] | {"room": "Aula"}, *LESSONS[1:]]


class Watch:
    """A state that has seen the usual week twice, and a clock in minutes."""

    def __init__(self, *, known: bool = True) -> None:
        self.state = WatchState()
        if known:
            assert self.see(LESSONS, -60) == self.see(LESSONS, -50) == []

    def see(self, rows: list[Row], minute: float, *, by_app: bool = False) -> list[str]:
        found = read_week(rows, YEAR, WEEK)
        assert found is not None
        self.state = WatchState.from_json(self.state.to_json())
        time = AnswerTime(minute * 60, MONDAY, by_app)
        return [change.kind for change in self.state.update_week(KEY, found, time)]


def test_a_change_counts_when_a_second_look_says_the_same() -> None:
    watch = Watch()
    assert watch.see(CANCELLED, 0) == []
    assert watch.state.confirm_at() == 60
    assert watch.see(CANCELLED, 1) == ["cancelled"]
    assert watch.see(CANCELLED, 2) == []
    assert watch.state.confirm_at() is None


def test_a_look_within_the_same_minute_confirms_nothing() -> None:
    watch = Watch()
    watch.see(CANCELLED, 0)
    assert watch.see(CANCELLED, 0.9) == []
    assert watch.see(CANCELLED, 1.5) == ["cancelled"]


def test_a_read_of_the_persons_app_confirms_at_once() -> None:
    watch = Watch()
    watch.see(OTHER_ROOM, 0)
    assert watch.see(OTHER_ROOM, 0.1, by_app=True) == ["room"]


def test_what_comes_and_goes_is_told_to_nobody() -> None:
    watch = Watch()
    for minute in range(0, 40, 4):
        assert watch.see(OTHER_ROOM, minute) == []
        assert watch.see(LESSONS, minute + 2) == []


def test_a_change_that_is_taken_back_is_told_again() -> None:
    watch = Watch()
    watch.see(OTHER_ROOM, 0)
    assert watch.see(OTHER_ROOM, 2) == ["room"]
    assert watch.see(LESSONS, 60) == []
    assert watch.see(LESSONS, 62) == ["room"]


def test_one_change_counts_while_another_is_still_open() -> None:
    watch = Watch()
    watch.see(OTHER_ROOM, 0)
    assert watch.see(OTHER_ROOM[:-1], 2) == ["room"]
    assert watch.see(OTHER_ROOM[:-1], 4) == ["cancelled"]


def test_an_empty_week_takes_half_an_hour() -> None:
    watch = Watch()
    assert watch.see([], 0) == watch.see([], 29) == []
    assert watch.state.confirm_at() == 30 * 60
    assert watch.see([], 30) == ["cancelled"] * len(LESSONS)
    assert watch.see([], 31) == []


def test_a_week_that_was_empty_once_is_forgotten() -> None:
    watch = Watch()
    assert watch.see([], 0) == watch.see(LESSONS, 10) == watch.see([], 31) == []


def test_the_first_look_at_a_week_is_known() -> None:
    for minute in (2, 60, 24 * 60):
        watch = Watch(known=False)
        assert watch.see(LESSONS, 0) == []
        assert watch.state.confirm_at() is None
        assert watch.see(CANCELLED, minute) == []
        assert watch.see(CANCELLED, minute + 1) == ["cancelled"]
        assert watch.see(LESSONS, minute + 60) == []
        assert watch.see(LESSONS, minute + 61) == ["added"]


def test_what_is_taken_back_before_it_counts_is_told_to_nobody() -> None:
    watch = Watch(known=False)
    rows = (LESSONS, CANCELLED, LESSONS, LESSONS)
    assert [watch.see(seen, 60 * hour) for hour, seen in enumerate(rows)] == [[]] * 4


def test_a_first_look_that_found_nothing_is_doubted_for_an_hour() -> None:
    watch = Watch(known=False)
    assert watch.see([], 0) == []
    assert watch.state.confirm_at() == 30 * 60
    assert watch.see(LESSONS, 31) == watch.see(LESSONS, 33) == []
    assert watch.see(CANCELLED, 34) == []
    assert watch.see(CANCELLED, 35) == ["cancelled"]


@pytest.mark.parametrize("looks", [(0,), (0, 30), (0, 31, 120)])
def test_what_is_added_to_an_empty_week_is_told(looks: tuple[int, ...]) -> None:
    watch = Watch(known=False)
    for minute in looks:
        assert watch.see([], minute) == []
    later = 62 if len(looks) == 1 else looks[-1] + 1
    assert watch.see(LESSONS[:1], later) == []
    assert watch.see(LESSONS[:1], later + 2) == ["added"]


def test_rows_that_the_first_look_could_not_read_are_not_added_later() -> None:
    watch = Watch(known=False)
    broken = [LESSONS[0] | {"startDate": None}, *LESSONS[1:]]
    assert watch.see(broken, 0) == []
    assert watch.state.confirm_at() == 60
    assert watch.see(LESSONS, 2) == watch.see(LESSONS, 4) == []
    watch = Watch(known=False)
    assert watch.see(broken, 0) == watch.see(broken[:-1], 2) == []
    assert watch.see(broken[:-1], 4) == ["cancelled"]


def test_days_that_are_past_are_not_compared() -> None:
    watch = Watch()
    found = read_week(
        [lesson for lesson in LESSONS if DAYS[0] not in lesson["startDate"]], 2026, 11
    )
    assert found is not None
    tuesday = date(2026, 3, 10)
    for minute in (0, 2, 4):
        assert watch.state.update_week(KEY, found, AnswerTime(minute * 60, tuesday)) == []


def test_what_is_further_away_than_14_days_is_not_told() -> None:
    watch = Watch()
    far = date(2026, 2, 24)  # the lesson is in 14 days
    found = read_week(OTHER_ROOM, YEAR, WEEK)
    assert found is not None
    for minute in (0, 2, 4):
        assert (
            watch.state.update_week(KEY, found, AnswerTime(minute * 60, far.replace(day=23))) == []
        )
    found = read_week(LESSONS, YEAR, WEEK)
    assert found is not None
    watch.state.update_week(KEY, found, AnswerTime(600, far))
    assert len(watch.state.update_week(KEY, found, AnswerTime(700, far))) == 1


def test_a_lesson_that_cannot_be_read_is_not_cancelled() -> None:
    watch = Watch()
    broken = [LESSONS[0] | {"startDate": None}, *LESSONS[1:]]
    for minute in (0, 2, 4):
        assert watch.see(broken, minute) == []
    assert watch.state.confirm_at() is None


def test_the_window_touches_two_or_three_weeks() -> None:
    assert weeks_of_window(MONDAY) == [(2026, 11), (2026, 12)]
    assert weeks_of_window(date(2026, 12, 30)) == [(2026, 53), (2027, 1), (2027, 2)]


def _assignment(number: int, **fields: object) -> Row:
    return {
        "id": number,
        "title": "Prov kap 4",
        "sortDate": "2026-03-17 08:20",
        "resultReportStatus": "NOT_REPORTED",
    } | fields


def test_assignments_are_told_when_they_are_new_changed_or_assessed() -> None:
    state = WatchState()

    def see(minute: float, *rows: Row) -> list[tuple[str, str]]:
        time = AnswerTime(minute * 60, MONDAY)
        found = state.lists["assignments"].update(KEY, read_assignments(rows), time)
        return [(change.kind, change.row.id) for change in found]

    first, second = _assignment(1), _assignment(2)
    assert see(0, first) == see(1, first, second) == []
    assert see(2, second, first | {"read": True, "subTitle": "in another language"}) == [
        ("new", "2")
    ]
    assert see(3, second) == see(4, first, second) == []
    later = first | {"sortDate": "2026-03-18 08:20"}
    assert see(5, later, second) == []
    assert see(6, later, second) == [("changed", "1")]
    assessed = second | {"resultReportStatus": "PUBLISHED"}
    assert see(7, later, assessed) == []
    assert see(8, later, assessed) == [("result", "2")]
    assert see(9, later, assessed) == see(10, later, assessed) == []


def test_news_are_told_once_and_an_empty_first_page_is_not_believed() -> None:
    state = WatchState()

    def see(minute: float, *titles: str) -> list[str]:
        rows = read_news([{"id": None, "title": title} for title in titles])
        found = state.lists["news"].update("news", rows, AnswerTime(minute * 60, MONDAY))
        return [each.row.title for each in found]

    assert see(0) == see(2, "a", "b") == see(3, "a", "b") == see(4, "c", "a") == []
    assert see(5, "c", "a") == ["c"]
    assert see(6) == see(7, "a", "b", "c") == see(8, "c") == []


def _message(number: int, date: str | None) -> Row:
    return {"id": str(number), "subject": "", "from": {"name": "Ömer Sjölin"}, "date": date}


@pytest.mark.parametrize("later", [2, 24 * 60])
def test_messages_that_come_up_when_others_are_deleted_are_not_new(later: float) -> None:
    state = WatchState()

    def see(minute: float, *rows: Row) -> list[str]:
        nonlocal state
        state = WatchState.from_json(state.to_json())
        time = AnswerTime(minute * 60, MONDAY)
        found = state.lists["inbox"].update("inbox", read_messages(rows), time)
        return [each.row.id for each in found]

    newest, older = _message(3, "2026-03-09T08:00"), _message(2, "2026-03-09T07:59")
    far, undated = _message(9, "2027-01-01"), _message(8, None)
    assert see(0, far, newest) == see(later, older, _message(1, "2026-03-08"), undated) == []
    new = [_message(5, "2026-03-09T08:00"), _message(4, "2026-03-09")]
    assert see(later + 2, *new, older, undated) == ["8"]
    assert see(later + 4, *new, older) == ["5", "4"]
    assert see(later + 6, newest, *new) == see(later + 8, newest, *new) == []


@pytest.mark.parametrize(("minute", "told"), [(59, []), (60, ["1"]), (24 * 60, ["1"])])
def test_a_first_message_is_told_unless_an_empty_inbox_may_have_been_a_failure(
    minute: float, told: list[str]
) -> None:
    inbox, message = WatchState().lists["inbox"], read_messages([_message(1, None)])
    looks = [(0.0, []), (minute, message), (minute + 2, message)]
    seen = [inbox.update("inbox", rows, AnswerTime(at * 60, MONDAY)) for at, rows in looks]
    assert [[each.row.id for each in found] for found in seen] == [[], [], told]


def test_a_state_of_a_version_with_fewer_lists_is_read() -> None:
    state = WatchState()
    state.lists["news"].rows["51200"] = KnownRow()
    values = orjson.loads(state.to_json())
    assert [len(values[name]) for name in ("news", "assignments")] == [3, 3]
    for name in ("inbox", "off", "menuAt"):
        del values[name]
    assert WatchState.from_json(orjson.dumps(values).decode()) == state
