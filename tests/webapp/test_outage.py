"""The school's system is down. With a server of its own, which keeps away from it for a while."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NEEDS_CHROMIUM
from tests.concurrency import wait_until
from tests.service_process import ServiceProcess
from tests.webapp.conftest import web_server
from tests.webapp.people import NewApp, tuesday_at
from upstream.simulator.server import Simulator

pytestmark = NEEDS_CHROMIUM


@pytest.fixture
def server(
    transactional_db: None, simulator: Simulator, spare_redis: str, tmp_path: Path
) -> Iterator[ServiceProcess]:
    with web_server(tmp_path, simulator, spare_redis) as own:
        yield own


def test_when_the_school_is_down_stale_data_says_so(new_app: NewApp, simulator: Simulator) -> None:
    app = new_app(now=tuesday_at(10, 5))
    app.sign_in()
    lessons = app.page.get_by_role("region", name="Lessons")
    expect(lessons.get_by_role("listitem").first).to_be_visible()
    for operation in ("lessons", "session", "lunch", "assignments"):
        simulator.faults.set(operation, "500")
    wait_until(lambda: app.ask("/api/schedule").get("stale"))  # what it has is fresh for a second
    app.page.reload()
    expect(lessons.get_by_role("listitem").first).to_be_visible()
    expect(app.page.get_by_text("What you see is from")).to_be_visible()
    app.forget_problems()
