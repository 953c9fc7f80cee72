"""What becomes of what was seen when nobody wants it, or nobody can confirm it, any more."""

from datetime import UTC, date, datetime, timedelta

from schoolproxy.services.watch.confirmation import AnswerTime
from schoolproxy.services.watch.lessons import read_week
from schoolproxy.services.watch.lists import ListName, RowChange, WatchedRow
from schoolproxy.services.watch.questions import all_questions, plan_look
from schoolproxy.services.watch.state import WatchState
from schoolproxy.services.watch.times import next_look
from schoolproxy.services.watch.watched_lists import (
    read_assignments,
    read_messages,
    read_results,
)

MONDAY = date(2026, 3, 9)
NOW = datetime(2026, 3, 9, 9, 0, tzinfo=UTC)
WEEK = "2026-11"


class Watched:
    """A state, whose clock counts minutes from 10 o'clock on a Monday."""

    def __init__(self) -> None:
        self.state = WatchState(regular_at=NOW.timestamp())

    def see(self, name: ListName, section: str, minute: float, rows: list[WatchedRow]) -> list[str]:
        time = AnswerTime(NOW.timestamp() + 60 * minute, MONDAY)
        changes = self.state.lists[name].update(section, rows, time)
        return [f"{change.kind} {change.row.id}" for change in changes]

    def keep_only(self, *kinds: str) -> None:
        questions = all_questions({*kinds}, MONDAY)
        self.state.keep_only((question.source, question.key) for question in questions)

    def tells_result(self, number: str) -> bool:
        result = RowChange("result", WatchedRow(number, ""))
        return self.state.result_to_tell(result) is not None

    def see_inbox(self, minute: float, count: int) -> list[str]:
        sender = {"from": {"name": "Ömer Sjölin"}, "date": None}
        messages = read_messages({"id": str(each), **sender} for each in range(count))
        return self.see("inbox", "inbox", minute, messages)

    def see_results(self, minute: float, count: int) -> list[str]:
        results = [{"assignmentId": number} for number in range(count)]
        return self.see("results", "results", minute, read_results(results))

    def see_assignment(self, minute: float, *, published: bool) -> list[str]:
        status = "PUBLISHED" if published else "NOT_REPORTED"
        row = {"id": 0, "title": "Prov kap 4", "resultReportStatus": status}
        return self.see("assignments", WEEK, minute, read_assignments([row]))


def test_nothing_is_to_be_confirmed_of_what_no_look_asks_for() -> None:
    watch = Watched()
    assert watch.see_inbox(-9, 1) == watch.see_inbox(-5, 2) == []
    empty = read_week([], 2026, 11)
    assert empty is not None
    watch.state.update_week(WEEK, empty, AnswerTime(NOW.timestamp(), MONDAY))
    watch.state.lists["news"].unconfirmed["news"] = {"new:1:": NOW.timestamp()}
    watch.state.lists["news"].sections["news"] = NOW.timestamp()
    watch.keep_only("news", "result")
    assert watch.state.confirm_at() is None
    assert next_look(watch.state, NOW)[0] > NOW + timedelta(minutes=30)
    watch = Watched()
    assert watch.see_inbox(-9, 1) == watch.see_inbox(-5, 2) == []
    watch.keep_only("schedule", "inbox")
    at, confirms = next_look(watch.state, NOW)
    assert confirms
    assert at < NOW + timedelta(minutes=1)
    # The safety net: what a look could not settle waits for the regular one.
    at, confirms = next_look(watch.state, NOW, may_confirm=False)
    assert not confirms
    assert at > NOW + timedelta(minutes=30)


def test_a_kind_that_is_wanted_again_begins_with_a_first_look() -> None:
    watch = Watched()
    assert watch.see_results(0, 3) == []
    watch.keep_only("inbox", "assignment")
    assert watch.see_results(100, 15) == watch.see_results(102, 15) == []
    watch.keep_only("result")
    assert watch.see_results(200, 16) == []
    assert watch.see_results(202, 16) == ["new 15"]


def test_a_result_is_told_once_whichever_list_has_it_first() -> None:
    watch = Watched()
    assert watch.see_assignment(0, published=False) == []
    # The first look at the results tells nobody of those that are there, so the assignment does.
    assert watch.see_results(60, 1) == watch.see_assignment(61, published=True) == []
    assert watch.see_assignment(63, published=True) == ["result 0"]
    told = [watch.tells_result("0")]
    watch.state = WatchState.from_json(watch.state.to_json())
    told.append(watch.tells_result("0"))
    assert told == [True, False]
    watch = Watched()
    assert watch.see_assignment(0, published=False) == watch.see_assignment(1, published=True) == []
    assert watch.see_assignment(3, published=True) == ["result 0"]
    assert watch.tells_result("0")
    watch.state.lists["results"].sections["results"] = None
    assert watch.see_results(60, 1) == watch.see_results(62, 1) == []


def test_an_empty_list_is_looked_at_again_in_half_an_hour() -> None:
    watch = Watched()
    assert watch.see_inbox(0, 0) == []
    assert watch.state.confirm_at() == (NOW + timedelta(minutes=30)).timestamp()
    plan = plan_look(watch.state, {"inbox", "news"}, NOW, regular=False)
    assert [(question.source, plan.regular) for question in plan.questions] == [("inbox", False)]
    assert watch.see_inbox(31, 20) == watch.see_inbox(33, 20) == []
    watch = Watched()
    assert watch.see_inbox(0, 0) == watch.see_inbox(31, 0) == []
    assert watch.state.confirm_at() is None
    assert watch.see_inbox(62, 1) == []
    assert watch.see_inbox(64, 1) == ["new 0"]
    watch = Watched()
    assert watch.see_inbox(0, 0) == []
    watch.state.set_unavailable(["inbox"])
    assert watch.state.confirm_at() is None
