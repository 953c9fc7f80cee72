"""GET /api/schools."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.services import schools
from tests.concurrency import crowd
from tests.conftest import Caller
from upstream.simulator.server import Simulator

PATH = "/api/schools"


def names(answer: Any) -> list[str]:
    return [row["name"] for row in answer.json()["schools"]]


def later(seconds: float) -> Any:
    """Move the clock, and drop this process's copy of the list."""
    schools._local.clear()
    return time_machine.travel(timezone.now() + timedelta(seconds=seconds), tick=False)


def test_it_answers_as_the_contract_says(caller: Caller) -> None:
    answer = caller.get(PATH)
    assert answer.status_code == 200
    assert sorted(answer.json()) == ["schools", "success"]
    rows = {row["id"]: row for row in answer.json()["schools"]}
    assert rows["nyvang"] == {
        "id": "nyvang",
        "name": "Nyvångs skola & fritidshem",
        "passwordLogin": True,
    }
    assert rows["granskolan"]["passwordLogin"] is False
    assert len(rows) == len(answer.json()["schools"])
    assert not answer.cookies


def test_it_is_in_swedish_order(caller: Caller, simulator: Simulator) -> None:
    found = names(caller.get(PATH))
    swedish = [name for name in found if name[0] in "ÅÄÖ"]
    assert found[-len(swedish) :] == swedish
    assert swedish == ["Åsa friskola", "Ängsskolan Östra"]
    assert found[0] == "Alfa & Omega"


def test_the_last_three_letters_come_last() -> None:
    words = ["ösa", "zon", "äng", "ål", "Zeta", "Örn", "Åby", "Aa", "é", "f", "ä"]
    key = schools._SWEDISH
    ordered = sorted(words, key=lambda word: word.casefold().translate(key))
    assert ordered == ["Aa", "é", "f", "Zeta", "zon", "Åby", "ål", "ä", "äng", "Örn", "ösa"]


def test_the_operators_list_limits_it(caller: Caller, settings: Settings) -> None:
    settings.UPSTREAM_SCHOOLS = ["nyvang", "bjorkdalen"]
    ids = [row["id"] for row in caller.get(PATH).json()["schools"]]
    assert sorted(ids) == ["bjorkdalen", "nyvang"]


def test_it_is_read_once_an_hour(caller: Caller, simulator: Simulator) -> None:
    for _ in range(3):
        caller.get(PATH)
    caller.sign_in()
    calls = simulator.requests.count("schools")
    assert calls == 2  # two lists are merged
    with later(3000):
        caller.get(PATH)
        assert simulator.requests.count("schools") == calls
    with later(3700):
        caller.get(PATH)
        assert simulator.requests.count("schools") == 2 * calls


def test_without_upstream_an_old_list_is_stale(caller: Caller, simulator: Simulator) -> None:
    fresh = names(caller.get(PATH))
    simulator.faults.set("schools", "500")
    with later(3700):
        answer = caller.get(PATH)
        assert (answer.status_code, answer.json()["stale"]) == (200, True)
        assert names(answer) == fresh
        caller.sign_in()  # known people can still sign in


@pytest.mark.parametrize(
    ("fault", "status"), [("500", 503), ("not-json", 502), ("200-html", 502), ("empty", 502)]
)
def test_without_any_list_it_is_an_error(
    caller: Caller, simulator: Simulator, fault: str, status: int
) -> None:
    simulator.faults.set("schools", fault)
    answer = caller.get(PATH)
    assert (answer.status_code, answer.json()["success"]) == (status, False)
    simulator.faults.clear()
    assert caller.get(PATH).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_one_reads_it(caller: Caller, simulator: Simulator) -> None:
    with crowd(8) as start, simulator.faults.hold("schools") as held:
        running = [start(lambda: Caller().get(PATH)) for _ in range(8)]
        held.wait_for(1)
        with pytest.raises(TimeoutError):
            held.wait_for(2, timeout=0.3)
        held.release()
        assert [one.result(10).status_code for one in running] == [200] * 8
    assert simulator.requests.count("schools") == 2
