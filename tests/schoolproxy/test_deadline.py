"""After its deadline, a request makes no further calls to upstream."""

import math
import threading
import time
from datetime import timedelta

import pytest
import time_machine
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.single_flight import single_flight
from tests.conftest import Caller
from upstream import deadline
from upstream.errors import UpstreamTimeout
from upstream.simulator.server import Simulator
from wrapper_project.middleware import SchoolCallsMiddleware

PATH = "/api/schedule?week=12"


def test_after_the_deadline_the_cached_week_is_served_as_stale(
    elsa: Caller, simulator: Simulator
) -> None:
    good = elsa.get(PATH).json()
    simulator.requests.clear()
    with (
        time_machine.travel(timezone.now() + timedelta(seconds=61), tick=False),
        deadline.deadline_scope(time.monotonic() - 1),
    ):
        answer = elsa.get(PATH).json()
    assert answer["stale"] is True
    assert answer["schedule"] == good["schedule"]
    assert len(simulator.requests) == 0


def test_after_the_deadline_without_a_cached_week_it_is_504(
    elsa: Caller, simulator: Simulator
) -> None:
    elsa.get("/api/session")
    simulator.requests.clear()
    with deadline.deadline_scope(time.monotonic() - 1):
        answer = elsa.get(PATH)
    assert (answer.status_code, answer.json()["code"]) == (504, "upstream_timeout")
    assert len(simulator.requests) == 0


def test_waiting_for_a_shared_fetch_ends_at_the_deadline() -> None:
    go, running = threading.Event(), threading.Event()

    def work() -> None:
        running.set()
        go.wait(10)

    leader = threading.Thread(target=lambda: single_flight("a key", work, wait=20))
    leader.start()
    assert running.wait(5)
    with deadline.deadline_scope(time.monotonic() - 1), pytest.raises(UpstreamTimeout):
        single_flight("a key", work, wait=20)
    go.set()
    leader.join()


@pytest.mark.parametrize(("method", "ends"), [("GET", True), ("HEAD", True), ("POST", False)])
def test_only_reading_requests_have_a_deadline(method: str, ends: bool) -> None:
    seen: list[float] = []

    def view(request: HttpRequest) -> HttpResponse:
        seen.append(deadline.current_deadline())
        return HttpResponse()

    request = HttpRequest()
    request.method = method
    SchoolCallsMiddleware(view)(request)
    assert (seen[0] < math.inf) is ends
    assert deadline.current_deadline() == math.inf
