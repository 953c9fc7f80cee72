"""Who may open a socket at /ws, and how the others are refused."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings
from websockets.exceptions import InvalidStatus

import store
from accounts.models import Account
from tests.social.conftest import OpenSocket, SignIn, cookie_header
from tests.social.socket_frames import answers_ping, close_code, receive
from upstream.simulator.server import Simulator


def refused(open_socket: OpenSocket, *args: Any, **options: Any) -> int:
    """The HTTP status of a handshake that is refused."""
    with pytest.raises(InvalidStatus) as refusal:
        open_socket(*args, **options)
    return int(refusal.value.response.status_code)


def test_the_cookies_of_a_login_open_it(
    port: int, sign_in: SignIn, open_socket: OpenSocket
) -> None:
    connection = open_socket(port, sign_in())
    assert receive(connection) == {"type": "ready", "username": "elsa.nordvall"}
    assert answers_ping(connection)


def test_a_native_app_opens_it_with_its_token(
    port: int, sign_in: SignIn, open_socket: OpenSocket
) -> None:
    token = sign_in().token
    connection = open_socket(port, headers={"Authorization": f"Bearer {token}"})
    assert receive(connection) == {"type": "ready", "username": "elsa.nordvall"}


def test_a_token_in_the_url_is_ignored(port: int, sign_in: SignIn, open_socket: OpenSocket) -> None:
    token = sign_in().token
    connection = open_socket(port, address=f"/ws?token={token}&access_token={token}")
    assert receive(connection) == {"type": "error", "code": "not_signed_in"}
    assert close_code(connection) == 4401


NO_SESSIONS: list[dict[str, str]] = [
    {},
    {"Cookie": "wrapper_jsessionid=x"},
    {"Authorization": "Bearer no-such-token"},
    {"Authorization": "Basic eDp5"},
]


def test_without_a_session_it_sends_an_error_and_closes(port: int, open_socket: OpenSocket) -> None:
    for headers in NO_SESSIONS:
        connection = open_socket(port, headers=headers)
        assert receive(connection) == {"type": "error", "code": "not_signed_in"}, headers
        assert close_code(connection) == 4401, headers


def test_a_logged_out_session_is_refused(
    port: int, sign_in: SignIn, open_socket: OpenSocket
) -> None:
    caller = sign_in()
    cookies = cookie_header(caller)
    caller.post("/api/logout")
    connection = open_socket(port, headers={"Cookie": cookies})
    assert receive(connection)["code"] == "not_signed_in"
    assert close_code(connection) == 4401


def test_a_logout_while_it_opens_is_not_missed(
    port: int, sign_in: SignIn, open_socket: OpenSocket, simulator: Simulator
) -> None:
    caller = sign_in()
    cookies = cookie_header(caller)
    store.clear()
    with simulator.faults.hold("session", after=True) as held, ThreadPoolExecutor(1) as thread:
        opening = thread.submit(open_socket, port, headers={"Cookie": cookies})
        held.wait_for(1)
        assert caller.post("/api/logout").status_code == 200
        held.release()
        connection = opening.result()
        assert receive(connection) == {"type": "error", "code": "not_signed_in"}
    assert close_code(connection) == 4401


def test_another_username_in_the_cookies_is_refused(
    port: int, sign_in: SignIn, open_socket: OpenSocket
) -> None:
    caller = sign_in()
    caller.set_cookie("username", "torbjorn.ekvik")
    connection = open_socket(port, caller)
    assert receive(connection)["code"] == "not_signed_in"
    assert close_code(connection) == 4401


def test_a_suspended_account_is_closed_with_4403(
    port: int, sign_in: SignIn, open_socket: OpenSocket, settings: Settings
) -> None:
    caller = sign_in()
    Account.objects.update(suspended_at=timezone.now())
    settings.SESSION_CHECK_SECONDS = 0
    connection = open_socket(port, caller)
    assert receive(connection) == {"type": "error", "code": "account_suspended"}
    assert close_code(connection) == 4403


def test_an_upstream_failure_does_not_sign_out(
    port: int, sign_in: SignIn, open_socket: OpenSocket, simulator: Simulator, settings: Settings
) -> None:
    caller = sign_in()
    settings.SESSION_CHECK_SECONDS = 0
    settings.OUTAGE_GRACE_SECONDS = 0
    simulator.faults.set("session", "503")
    connection = open_socket(port, caller)
    assert receive(connection) == {"type": "error", "code": "try_again_later"}
    assert close_code(connection) == 1013


def test_it_opens_in_an_outage_for_a_recently_checked_session(
    port: int, sign_in: SignIn, ready_socket: OpenSocket, simulator: Simulator, settings: Settings
) -> None:
    caller = sign_in()
    ready_socket(port, caller)
    settings.SESSION_CHECK_SECONDS = 0
    simulator.faults.set("session", "503")
    ready_socket(port, caller)


def test_a_socket_closes_with_1011_while_the_channel_layer_is_down(
    port: int, sign_in: SignIn, open_socket: OpenSocket, settings: Settings
) -> None:
    settings.CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [{"address": "redis://127.0.0.1:9"}]},
        }
    }
    assert close_code(open_socket(port, sign_in())) == 1011


OTHER_ORIGINS = [
    "https://evil.example",
    "http://127.0.0.1",
    "null",
    "http://[",
    "http://127.0.0.1.evil.example",
]


def test_a_page_of_another_site_is_refused_before_it_is_accepted(
    port: int, sign_in: SignIn, open_socket: OpenSocket
) -> None:
    caller = sign_in()
    for origin in OTHER_ORIGINS:
        assert refused(open_socket, port, caller, origin=origin) == 403, origin


def test_a_page_of_our_own_and_one_on_the_list_may_open_it(
    port: int, sign_in: SignIn, ready_socket: OpenSocket, settings: Settings
) -> None:
    settings.CORS_ALLOWED_ORIGINS = ["https://App.example:443"]
    settings.PUBLIC_URL = "https://School.example:443"
    caller = sign_in()
    for origin in (f"http://127.0.0.1:{port}", "https://app.example", "https://school.example"):
        ready_socket(port, caller, origin=origin)


def test_any_other_path_is_refused_without_a_traceback(
    port: int, open_socket: OpenSocket, caplog: pytest.LogCaptureFixture
) -> None:
    for address in ("/", "/ws/", "/ws/x", "/api/login", "/WS", "/%2e%2e/ws"):
        assert refused(open_socket, port, address=address) == 403, address
    assert "Traceback" not in caplog.text
