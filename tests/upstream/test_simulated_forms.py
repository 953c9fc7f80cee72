"""Each form in which the simulator sends data, read by the client: the two sides agree."""

from typing import get_args

import pytest

from tests.upstream.conftest import SCHOOL, MakeClient
from upstream.calls import assignments, subjects
from upstream.calls.lessons import fetch_lessons
from upstream.calls.lunch import fetch_lunch
from upstream.calls.news import fetch_news
from upstream.calls.people import fetch_class
from upstream.client import UpstreamClient
from upstream.errors import UpstreamChanged, UpstreamInvalid
from upstream.records import ProvenSession
from upstream.simulator.server import Simulator
from upstream.simulator.settings import Charset, LunchWeek

# A week of school, and one of the summer.
WEEK, SUMMER = 11, 30


@pytest.fixture
def client(simulator: Simulator, make_client: MakeClient) -> UpstreamClient:
    return make_client(simulator.url)


@pytest.fixture
def elsa(simulator: Simulator) -> ProvenSession:
    person = simulator.state.person(SCHOOL, "elsa.nordvall")
    web = simulator.state.open_web_session(person, "specified")
    return ProvenSession(web.jsessionid, web.hash, "1", school=SCHOOL, role="student")


def test_lessons_overlap_and_the_summer_has_none(
    client: UpstreamClient, elsa: ProvenSession
) -> None:
    lessons = fetch_lessons(client, web=elsa, week=WEEK)
    starts = [lesson["startDate"] for lesson in lessons if "startDate" in lesson]
    assert len(set(starts)) < len(starts)
    assert starts != sorted(starts), "not sorted"
    assert lessons == fetch_lessons(client, web=elsa, week=WEEK)
    assert fetch_lessons(client, web=elsa, week=SUMMER) == []


@pytest.mark.parametrize("charset", get_args(Charset))
def test_a_page_is_the_same_in_each_charset(
    client: UpstreamClient, elsa: ProvenSession, simulator: Simulator, charset: str
) -> None:
    usual = fetch_news(client, web=elsa)
    assert any("–" in item.title for item in usual)
    simulator.state.settings.set("charset", charset)
    assert fetch_news(client, web=elsa) == usual


@pytest.mark.parametrize(
    ("form", "items"),
    [("box", 17), ("bare-links", 12), ("accordion", 12), ("no-box", 0), ("empty-box", 0)],
)
def test_the_start_page_has_news_in_each_layout(
    client: UpstreamClient, elsa: ProvenSession, simulator: Simulator, form: str, items: int
) -> None:
    simulator.state.settings.set("start_page", form)
    assert len(fetch_news(client, web=elsa)) == items


@pytest.mark.parametrize("count", [0, 1, 30])
def test_the_number_of_news_can_be_set(
    client: UpstreamClient, elsa: ProvenSession, simulator: Simulator, count: int
) -> None:
    simulator.state.settings.set("news_items", count)
    simulator.state.settings.set("odd_news", False)
    assert len(fetch_news(client, web=elsa)) == count


@pytest.mark.parametrize("form", get_args(LunchWeek))
def test_a_week_of_lunch_is_read_in_each_form(
    client: UpstreamClient, elsa: ProvenSession, simulator: Simulator, form: str
) -> None:
    simulator.state.settings.set("lunch", form)
    days = fetch_lunch(client, web=elsa, week=WEEK)
    assert bool(days) is (form not in ("none", "object"))


@pytest.mark.parametrize(
    ("layout", "days"),
    [("parallel", [1, 2, 4, 5]), ("plain", [1, 2, 3, 5]), ("no-table", []), ("no-menu", [])],
)
def test_the_lunch_page_has_the_dishes_of_the_json(
    client: UpstreamClient,
    elsa: ProvenSession,
    simulator: Simulator,
    layout: str,
    days: list[int],
) -> None:
    def fetch() -> dict[int, set[str]]:
        return {
            day.day_id: {a.text for dish in day.dishes for a in dish.alternatives}
            for day in fetch_lunch(client, web=elsa, week=WEEK)
        }

    simulator.state.settings.set("lunch", "full")
    by_json = fetch()
    simulator.faults.set("lunch", "404")
    simulator.state.settings.set("lunch_page", layout)
    assert fetch() == {day: by_json[day] for day in days}


@pytest.mark.parametrize("layout", ["B", "C", "D", "single-column", "no-contact"])
def test_each_layout_of_the_class_page_has_the_same_pupils(
    client: UpstreamClient, elsa: ProvenSession, simulator: Simulator, layout: str
) -> None:
    usual = [pupil.name for pupil in fetch_class(client, web=elsa)]
    assert len(usual) > 5
    simulator.state.settings.set("class_page", layout)
    shown = [pupil.name for pupil in fetch_class(client, web=elsa)]
    assert shown[: len(usual)] == usual
    assert bool(shown[len(usual) :]) is (layout == "D"), "two classes to choose from"


def test_a_class_page_can_be_hidden_or_unknown(
    client: UpstreamClient, elsa: ProvenSession, simulator: Simulator
) -> None:
    for layout in ("hidden", "hidden-redirect"):
        simulator.state.settings.set("class_page", layout)
        assert fetch_class(client, web=elsa) == []
    simulator.state.settings.set("class_page", "unknown")
    with pytest.raises(UpstreamChanged):
        fetch_class(client, web=elsa)


@pytest.mark.parametrize("unread", ["mixed", "number", "text", "object", "parts"])
@pytest.mark.parametrize("teachers", ["mixed", "plain", "duplicate", "empty"])
def test_rooms_are_read_in_each_form(
    client: UpstreamClient, elsa: ProvenSession, simulator: Simulator, unread: str, teachers: str
) -> None:
    simulator.state.settings.set("unread", unread)
    simulator.state.settings.set("teachers", teachers)
    simulator.state.settings.set("rooms", 3)
    rooms = [room["activityId"] for room in subjects.fetch_rooms(client, web=elsa)]
    assert len(rooms) == 3
    assert all(subjects.fetch_entities(client, web=elsa, room=room) for room in rooms)
    assert any(subjects.fetch_unread(client, web=elsa, room=room) for room in rooms)
    found = [subjects.fetch_teachers(client, web=elsa, room=room) for room in rooms]
    assert any(found) is (teachers != "empty")


def test_a_week_of_assignments_can_be_empty_or_odd(
    client: UpstreamClient, elsa: ProvenSession, simulator: Simulator
) -> None:
    def fetch() -> list[dict[str, object]]:
        return assignments.fetch_week_assignments(client, web=elsa, week=WEEK, year=2026)

    usual = fetch()
    simulator.state.settings.set("week_assignments", "odd")
    assert usual
    assert fetch() != usual
    simulator.state.settings.set("week_assignments", "none")
    assert fetch() == []


def test_a_week_that_does_not_exist_is_refused(client: UpstreamClient, elsa: ProvenSession) -> None:
    with pytest.raises(UpstreamInvalid):
        fetch_lessons(client, web=elsa, week=54)
