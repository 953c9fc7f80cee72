"""A push reaches a real browser, which shows it with the service worker of examples/push."""

import queue
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.notifications import autopush, firefox
from tests.notifications.certificates import Certificates
from tests.notifications.firefox import NEEDS_FIREFOX, Firefox
from tests.notifications.pages import FILES, SHOWN, SUBSCRIBE, UNSUBSCRIBE
from tests.notifications.plain_sender import PlainSender
from tests.notifications.push_service import PushService
from tests.upstream import raw_server
from tests.upstream.raw_server import Piece, Received, http

pytestmark = NEEDS_FIREFOX


class App:
    """A web server with the app. `visited` has the pages that were opened."""

    def __init__(self) -> None:
        self.url = ""
        self.visited: queue.Queue[str] = queue.Queue()

    def answer(self, request: Received) -> Iterable[Piece]:
        if request.headers.get("sec-fetch-dest") == "document":
            self.visited.put(request.target)
        body, kind = FILES.get(request.target, FILES["/"])
        return [http(body, kind=kind)]

    @contextmanager
    def open_in(self, browser: Firefox) -> Iterator[None]:
        with raw_server.serve(self.answer) as server:
            self.url = f"{server.url.replace('127.0.0.1', 'localhost')}/"
            browser.open(self.url)
            assert self.visited.get(timeout=10) == "/"
            yield


@pytest.fixture
def app() -> App:
    return App()


@pytest.fixture
def sender(certificates: Certificates) -> Iterator[PlainSender]:
    sender = PlainSender(certificates)
    yield sender
    sender.close()


@pytest.fixture
def browser(push_service: PushService, tmp_path: Path) -> Iterator[Firefox]:
    with firefox.running(tmp_path, push_service.browsers.url) as running:
        yield running


@pytest.fixture
def page(browser: Firefox, app: App) -> Iterator[Firefox]:
    with app.open_in(browser):
        yield browser


def push(title: str, **fields: Any) -> dict[str, Any]:
    return {"web_push": 8030, "notification": {"title": title, "navigate": "/", **fields}}


def test_it_shows_pushes_and_opens_the_app_until_it_unsubscribes(
    push_service: PushService, sender: PlainSender, page: Firefox, app: App
) -> None:
    subscription = page.run(SUBSCRIBE, sender.key)
    assert subscription["endpoint"].startswith(f"{push_service.url}/push/")
    sent = push("Två nya meddelanden", body="Hej", tag="a", lang="sv", data={"kind": "message"})
    assert sender.send(subscription, sent).status == 201
    (said,) = push_service.browsers.wait_for_acknowledgements(1, within=10)
    assert said.code == autopush.DELIVERED
    assert page.run(SHOWN, "Två nya meddelanden") == [
        {
            "title": "Två nya meddelanden",
            "body": "Hej",
            "tag": "a",
            "lang": "sv",
            "data": {"kind": "message", "navigate": "/"},
        }
    ]
    for title, tag in [("Tre nya meddelanden", "a"), ("Inställd lektion", "b")]:
        sender.send(subscription, push(title, tag=tag))
    assert {each["title"] for each in page.run(SHOWN, "Inställd lektion")} == {
        "Tre nya meddelanden",
        "Inställd lektion",
    }

    # Something is shown for whatever can be decrypted.
    sender.send(subscription, "no object")
    assert page.run(SHOWN, "Something new")[-1]["data"] == {"navigate": "/"}
    push_service.browsers.wait_for_acknowledgements(4, within=10)
    sender.post(subscription, b"x" * 100)
    said = push_service.browsers.wait_for_acknowledgements(5, within=10)[-1]
    assert said.code == autopush.NOT_DECRYPTED

    a_click_opens_a_tab_or_uses_that_of_the_app(partial(sender.send, subscription), page, app)
    page.open(app.url)
    assert page.run(UNSUBSCRIBE) is True
    assert sender.send(subscription, push("Too late")).status == 410


def a_click_opens_a_tab_or_uses_that_of_the_app(
    send: Callable[[Any], object], page: Firefox, app: App
) -> None:
    send(push("In this tab", navigate="/conversations/1"))
    page.click("In this tab")
    assert app.visited.get(timeout=10) == "/conversations/1"
    assert page.tabs() == 1
    page.open("about:blank")
    send(push("In a new tab", navigate="/conversations/2"))
    page.click("In a new tab")
    assert app.visited.get(timeout=10) == "/conversations/2"
    assert page.tabs() == 2


def test_a_click_works_where_the_device_is_too_slow_to_focus_the_tab(
    push_service: PushService, sender: PlainSender, app: App, tmp_path: Path
) -> None:
    no_time = {"dom.webnotifications.disable_open_click_delay": 0}
    with (
        firefox.running(tmp_path, push_service.browsers.url, no_time) as page,
        app.open_in(page),
    ):
        subscription = page.run(SUBSCRIBE, sender.key)
        sender.send(subscription, push("Late", navigate="/conversations/1"))
        page.click("Late")
        assert app.visited.get(timeout=10) == "/conversations/1"
