"""From a message to the screen of somebody else: the service, a push service and a browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from notifications.models import Notification, PushSubscription
from notifications.services.deliveries import push_notification
from tests.conftest import Caller
from tests.jobs import run_jobs
from tests.notifications import autopush, firefox
from tests.notifications.firefox import NEEDS_FIREFOX, Firefox
from tests.notifications.pages import FILES, SHOWN, SUBSCRIBE, UNSUBSCRIBE
from tests.notifications.push_service import PushService
from tests.social.conftest import serve
from tests.social_actions import dm_of, say

pytestmark = NEEDS_FIREFOX

PATH = "/api/push/subscriptions"
# As an app of the service talks to it, with the cookies of the browser.
CALL = """
    const [method, path, content] = args;
    const headers = { "Content-Type": "application/json" };
    const body = content === null ? undefined : JSON.stringify(content);
    const answer = await fetch(path, { method, headers, body });
    return { status: answer.status, body: await answer.json() };
"""


def with_app(service: Any) -> Any:
    """The service and the app on one origin, as behind a proxy."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or scope["path"] not in FILES:
            await service(scope, receive, send)
            return
        body, kind = FILES[scope["path"]]
        headers = [(b"content-type", kind.encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return application


@pytest.fixture
def page(transactional_db: None, push_service: PushService, tmp_path: Path) -> Iterator[Firefox]:
    """A browser with the app open."""
    from wrapper_project.asgi import application

    with (
        serve(with_app(application)) as port,
        firefox.running(tmp_path, push_service.browsers.url) as browser,
    ):
        browser.open(f"http://localhost:{port}/")
        yield browser


def call(page: Firefox, method: str, path: str, content: Any = None) -> Any:
    answer = page.run(CALL, method, path, content)
    assert answer["status"] in (200, 201), answer
    return answer["body"]


def sign_in_and_subscribe(page: Firefox) -> str:
    """Elsa, who wants pushes about messages; returns the id of the subscription."""
    who = {"username": "elsa.nordvall", "password": "elsa-demo", "school": "bjorkdalen"}
    call(page, "POST", "/api/login", who)
    chosen = {"kinds": {"message": "push"}, "quietHours": None, "language": "sv"}
    call(page, "PATCH", "/api/notifications/settings", chosen)
    subscription = page.run(SUBSCRIBE, call(page, "GET", "/api/push/key")["key"])
    return str(call(page, "POST", PATH, subscription)["subscription"]["id"])


def test_a_message_is_shown(
    page: Firefox, elsa: Caller, bo: Caller, push_service: PushService
) -> None:
    sign_in_and_subscribe(page)
    conversation = dm_of(bo, "elsa.nordvall")
    say(bo, conversation, "Vi ses klockan tre")
    run_jobs()
    (said,) = push_service.browsers.wait_for_acknowledgements(1, within=10)
    assert said.code == autopush.DELIVERED
    (shown,) = page.run(SHOWN, "Du har 1 nytt meddelande")
    assert shown["lang"] == "sv"
    assert shown["data"]["kind"] == "message"
    assert shown["data"]["navigate"].endswith(f"/conversations/{conversation}")
    assert "klockan" not in str(shown)


def test_what_is_sent_again_is_shown_once(
    page: Firefox, elsa: Caller, bo: Caller, push_service: PushService
) -> None:
    """A worker that was killed may have sent the push in hand; another one sends it again."""
    subscription = sign_in_and_subscribe(page)
    say(bo, dm_of(bo, "elsa.nordvall"), "Hej")
    run_jobs()
    notification = Notification.objects.get(kind="message")
    push_notification.enqueue(notification.pk.hex, subscription)
    run_jobs()
    push_service.browsers.wait_for_acknowledgements(2, within=10)
    assert len(page.run(SHOWN, "Du har 1 nytt meddelande")) == 1


def test_a_browser_that_has_unsubscribed_is_forgotten(
    page: Firefox, elsa: Caller, bo: Caller, push_service: PushService
) -> None:
    sign_in_and_subscribe(page)
    page.run(UNSUBSCRIBE)
    say(bo, dm_of(bo, "elsa.nordvall"), "Hej")
    run_jobs()
    assert len(push_service.received) == 1
    assert not PushSubscription.objects.exists()
