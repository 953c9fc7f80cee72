"""Who may open a socket at /ws, and how the others are refused."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection

import store
from accounts.models import Account
from tests.social.conftest import Sockets, cookie_header
from tests.social.socket_frames import answers_ping, close_code, receive
from upstream.simulator.server import Simulator


def refused(sockets: Sockets, *args: Any, **options: Any) -> tuple[int, str]:
    """The HTTP status of a handshake that is refused, and the code in the error body."""
    with pytest.raises(InvalidStatus) as refusal:
        sockets.open(*args, **options)
    response = refusal.value.response
    body = json.loads(response.body)
    assert body["success"] is False
    assert body["error"] == body["message"]
    assert response.headers["Content-Type"] == "application/json"
    return response.status_code, body["code"]


def ended(connection: ClientConnection) -> tuple[str, int]:
    """The code of the error that comes first, and that of the close after it."""
    frame = receive(connection)
    assert frame.keys() == {"type", "code"}
    assert frame["type"] == "error"
    return frame["code"], close_code(connection)


def test_the_cookies_of_a_login_open_it(sockets: Sockets) -> None:
    connection = sockets.open(sockets.sign_in())
    assert receive(connection) == {"type": "ready", "username": "elsa.nordvall"}
    assert answers_ping(connection)


def test_a_native_app_opens_it_with_its_token(sockets: Sockets) -> None:
    token = sockets.sign_in().token
    connection = sockets.open(headers={"Authorization": f"Bearer {token}"})
    assert receive(connection) == {"type": "ready", "username": "elsa.nordvall"}


def test_without_a_valid_session_it_sends_an_error_and_closes(sockets: Sockets) -> None:
    caller, gone, other = (sockets.sign_in() for _ in range(3))
    logged_out = cookie_header(gone)
    gone.post("/api/logout")
    other.set_cookie("username", "torbjorn.ekvik")
    attempts: list[dict[str, Any]] = [
        {},
        {"headers": {"Cookie": "wrapper_jsessionid=x"}},
        {"headers": {"Authorization": "Bearer no-such-token"}},
        {"headers": {"Authorization": "Basic eDp5"}},
        {"headers": {"Cookie": logged_out}},
        {"caller": other},
        # A token in the URL is ignored.
        {"address": f"/ws?token={caller.token}&access_token={caller.token}"},
    ]
    for attempt in attempts:
        assert ended(sockets.open(**attempt)) == ("not_signed_in", 4401), attempt


def test_a_logout_while_it_opens_is_not_missed(sockets: Sockets, simulator: Simulator) -> None:
    caller = sockets.sign_in()
    cookies = cookie_header(caller)
    store.clear()
    with simulator.faults.hold("session", after=True) as held, ThreadPoolExecutor(1) as thread:
        opening = thread.submit(sockets.open, headers={"Cookie": cookies})
        held.wait_for(1)
        assert caller.post("/api/logout").status_code == 200
        held.release()
        assert ended(opening.result()) == ("not_signed_in", 4401)


def test_a_suspended_account_is_closed_with_4403(sockets: Sockets, settings: Settings) -> None:
    caller = sockets.sign_in()
    Account.objects.update(suspended_at=timezone.now())
    settings.SESSION_CHECK_SECONDS = 0
    assert ended(sockets.open(caller)) == ("account_suspended", 4403)


def test_an_upstream_failure_does_not_sign_out(
    sockets: Sockets, simulator: Simulator, settings: Settings
) -> None:
    caller = sockets.sign_in()
    settings.SESSION_CHECK_SECONDS = 0
    settings.OUTAGE_GRACE_SECONDS = 0
    simulator.faults.set("session", "503")
    assert ended(sockets.open(caller)) == ("try_again_later", 1013)


def test_it_opens_in_an_outage_for_a_recently_checked_session(
    sockets: Sockets, simulator: Simulator, settings: Settings
) -> None:
    caller = sockets.sign_in()
    sockets.ready(caller)
    settings.SESSION_CHECK_SECONDS = 0
    simulator.faults.set("session", "503")
    sockets.ready(caller)


def test_a_socket_closes_with_1011_while_the_channel_layer_is_down(
    sockets: Sockets, settings: Settings
) -> None:
    settings.CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [{"address": "redis://127.0.0.1:9"}]},
        }
    }
    assert close_code(sockets.open(sockets.sign_in())) == 1011


OTHER_ORIGINS = [
    "https://evil.example",
    "http://127.0.0.1",
    "null",
    "http://[",
    "http://127.0.0.1.evil.example",
]


def test_a_page_of_another_site_is_refused_before_it_is_accepted(sockets: Sockets) -> None:
    caller = sockets.sign_in()
    for origin in OTHER_ORIGINS:
        assert refused(sockets, caller, origin=origin) == (403, "cross_origin"), origin


def test_a_page_of_our_own_and_one_on_the_list_may_open_it(
    sockets: Sockets, settings: Settings
) -> None:
    settings.CORS_ALLOWED_ORIGINS = ["https://App.example:443"]
    settings.PUBLIC_URL = "https://School.example:443"
    caller = sockets.sign_in()
    for origin in (
        f"http://127.0.0.1:{sockets.port}",
        "https://app.example",
        "https://school.example",
    ):
        sockets.ready(caller, origin=origin)


def test_any_other_path_is_refused_without_a_traceback(
    sockets: Sockets, caplog: pytest.LogCaptureFixture
) -> None:
    for address in ("/", "/ws/", "/ws/x", "/api/login", "/WS", "/%2e%2e/ws"):
        assert refused(sockets, address=address) == (404, "not_found"), address
    assert "Traceback" not in caplog.text
