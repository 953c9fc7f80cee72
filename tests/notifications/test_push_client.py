"""One push over the wire: what a push service may do to us."""

import socket
from pathlib import Path
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from notifications.push import client
from notifications.push.client import AddressRefused, Answer, NotSent, post
from notifications.push.endpoints import Endpoint, read_endpoint
from tests.notifications.certificates import make_certificates
from tests.notifications.push_service import (
    PushService,
    drip,
    endless_body,
    endless_headers,
    running,
    status,
)


def send(service: PushService) -> Answer:
    return post(read_endpoint(f"{service.url}/push/1"), headers={"TTL": "60"}, body=b"sealed")


def test_a_push_is_posted(push_service: PushService) -> None:
    push_service.answer_with(status(201))
    assert send(push_service) == Answer(201)
    [push] = push_service.received
    assert (push.method, push.path, push.body) == ("POST", "/push/1", b"sealed")
    assert push.headers["host"] == push_service.url.removeprefix("https://")
    assert "cookie" not in push.headers


def test_a_redirect_is_not_followed(push_service: PushService) -> None:
    push_service.answer_with(status(307, Location=f"{push_service.url}/push/2"))
    assert send(push_service).status == 307
    assert len(push_service.received) == 1


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("120", 120), ("999999", 86400), ("-5", 0), ("soon", 0), ("9" * 50, 0), ("", 0)],
)
def test_the_seconds_of_retry_after_are_read(
    push_service: PushService, text: str, seconds: int
) -> None:
    push_service.answer_with(status(429, Retry_After=text))
    assert send(push_service) == Answer(429, seconds)


def test_a_gigabyte_is_not_read(push_service: PushService) -> None:
    push_service.answer_with(endless_body)
    assert send(push_service).status == 201


def test_a_gigabyte_of_headers_is_refused(push_service: PushService) -> None:
    push_service.answer_with(endless_headers)
    with pytest.raises(NotSent):
        send(push_service)


@pytest.mark.parametrize("hangs", [True, False])
def test_an_answer_has_to_be_there_in_time(
    push_service: PushService, monkeypatch: pytest.MonkeyPatch, hangs: bool
) -> None:
    monkeypatch.setattr(client, "DEADLINE_SECONDS", 0.5)
    push_service.answer_with(push_service.hold()[0] if hangs else drip)
    with pytest.raises(NotSent):
        send(push_service)


def test_a_reset_is_no_answer(push_service: PushService) -> None:
    push_service.answer_with(push_service.reset)
    with pytest.raises(NotSent):
        send(push_service)


def test_an_unknown_authority_is_refused(push_service: PushService, settings: Settings) -> None:
    settings.SSL_CERT_FILE = ""
    client._tls.cache_clear()
    with pytest.raises(NotSent):
        send(push_service)
    assert push_service.received == []


def test_a_certificate_of_another_authority_is_refused(
    push_service: PushService, settings: Settings, tmp_path: Path
) -> None:
    with running(make_certificates(tmp_path)) as other:
        settings.PUSH_HOSTS = [f"+{other.url.removeprefix('https://')}"]
        with pytest.raises(NotSent):
            send(other)
        assert other.received == []


def test_an_address_inside_is_refused_unless_its_port_is_listed(
    push_service: PushService,
) -> None:
    inside = Endpoint("localhost", int(push_service.url.rpartition(":")[2]), "/x", False)
    with pytest.raises(AddressRefused):
        post(inside, headers={}, body=b"x")
    assert push_service.received == []


def test_one_address_inside_among_others_is_enough_to_be_refused(
    push_service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = int(push_service.url.rpartition(":")[2])
    found = [
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))
        for address in ("142.250.74.10", "127.0.0.1")
    ]
    with monkeypatch.context() as patch, pytest.raises(AddressRefused):
        patch.setattr(socket, "getaddrinfo", lambda *_args, **_options: found)
        post(Endpoint("push.example.org", port, "/x", False), headers={}, body=b"x")
    assert push_service.received == []


def test_the_address_that_was_checked_is_the_one_that_is_used(
    push_service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that leads somewhere else the second time is not asked a second time."""
    asked: list[str] = []
    resolve = socket.getaddrinfo

    def count(host: Any, *args: Any, **options: Any) -> Any:
        if host == "localhost":
            asked.append(host)
        return resolve(host, *args, **options)

    monkeypatch.setattr(socket, "getaddrinfo", count)
    push_service.answer_with(status(201))
    send(push_service)
    assert asked == ["localhost"]
