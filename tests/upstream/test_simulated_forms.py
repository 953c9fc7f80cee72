"""Forms in which the simulator sends data, read by the client: the two sides agree.

Those that change an answer of the API are in tests/schoolproxy.
"""

from typing import get_args

import pytest

from tests.upstream.conftest import SCHOOL, MakeClient
from upstream.calls.lunch import fetch_lunch
from upstream.calls.news import fetch_news
from upstream.client import UpstreamClient
from upstream.records import ProvenSession
from upstream.simulator.server import Simulator
from upstream.simulator.settings import Charset, LunchWeek

WEEK = 11


@pytest.fixture
def client(simulator: Simulator, make_client: MakeClient) -> UpstreamClient:
    return make_client(simulator.url)


@pytest.fixture
def elsa(simulator: Simulator) -> ProvenSession:
    person = simulator.state.person(SCHOOL, "elsa.nordvall")
    web = simulator.state.open_web_session(person, "specified")
    return ProvenSession(web.jsessionid, web.hash, "1", school=SCHOOL, role="student")


@pytest.mark.parametrize("charset", get_args(Charset))
def test_a_page_is_the_same_in_each_charset(
    client: UpstreamClient, elsa: ProvenSession, simulator: Simulator, charset: str
) -> None:
    usual = fetch_news(client, web=elsa)
    assert any("–" in item.title for item in usual)
    simulator.state.settings.set("charset", charset)
    assert fetch_news(client, web=elsa) == usual


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
