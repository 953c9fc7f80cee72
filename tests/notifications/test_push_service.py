"""The push service of the tests itself: it reads what RFC 8291 says, and is as strict as others."""

import json
import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import urllib3
from cryptography.hazmat.primitives.asymmetric import ec
from websockets.sync.client import ClientConnection, connect

from tests.notifications import push_service
from tests.notifications.certificates import Certificates, make_certificates
from tests.notifications.plain_sender import PlainSender, encrypt
from tests.notifications.push_service import Answer, PushService, status
from tests.notifications.web_push import NotSigned, Receiver, Unreadable, from_base64

# The example of RFC 8291, section 5 and appendix A.
EXAMPLE = Receiver(
    ec.derive_private_key(
        int.from_bytes(from_base64("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), "big"),
        ec.SECP256R1(),
    ),
    from_base64("BTBZMqHH6r4Tts7J_aSIgg"),
)
EXAMPLE_BODY = from_base64(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6"
    "TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulc"
    "y4a-fN"
)
REQUEST = b"POST /push/x HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture
def service(certificates: Certificates) -> Iterator[PushService]:
    with push_service.running(certificates) as running:
        yield running


@pytest.fixture
def sender(certificates: Certificates) -> Iterator[PlainSender]:
    sender = PlainSender(certificates)
    yield sender
    sender.close()


def connected(service: PushService, certificates: Certificates) -> ssl.SSLSocket:
    address = ("127.0.0.1", int(service.url.rpartition(":")[2]))
    plain = socket.create_connection(address, timeout=5)
    return certificates.client_context().wrap_socket(plain, server_hostname="localhost")


def test_it_reads_the_example_of_the_standard() -> None:
    assert EXAMPLE.decrypt(EXAMPLE_BODY) == b"When I grow up, I want to be a watermelon"
    assert EXAMPLE.keys == {
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkN"
        "toIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    }


@pytest.mark.parametrize(
    "body",
    [
        b"",
        EXAMPLE_BODY[:20],
        EXAMPLE_BODY[:86],
        EXAMPLE_BODY[:-1],
        EXAMPLE_BODY[:-1] + b"\0",
        b"\0" + EXAMPLE_BODY[1:],
        EXAMPLE_BODY[:18] + b"\0\x20" + EXAMPLE_BODY[20:],
        EXAMPLE_BODY[:21] + bytes(65) + EXAMPLE_BODY[86:],
    ],
)
def test_it_reads_nothing_else(body: bytes) -> None:
    with pytest.raises(Unreadable):
        EXAMPLE.decrypt(body)


def test_it_takes_a_push_and_reads_it(service: PushService, sender: PlainSender) -> None:
    subscription = service.new_subscription()
    answer = sender.send(subscription, {"title": "Hej"}, Topic="news", Urgency="high")
    (push,) = service.wait_for(1, within=0)
    assert answer.status == 201
    assert answer.headers["TTL"] == "60"
    assert answer.headers["Location"].startswith(service.url)
    assert json.loads(service.decrypt(push)) == {"title": "Hej"}
    assert push.headers["topic"] == "news"
    signature = service.verify_vapid(push)
    assert signature.key == sender.key
    assert signature.claims["sub"] == "mailto:it@example.com"


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"TTL": "soon"}, 400),
        ({"Content_Encoding": "aesgcm"}, 400),
        ({"Topic": "a topic"}, 400),
        ({"Topic": "t" * 33}, 400),
        ({"Urgency": "at once"}, 400),
        ({"Authorization": "vapid t=a.b.c, k=d"}, 401),
        ({"Authorization": "Bearer secret"}, 401),
    ],
)
def test_it_refuses_wrong_headers(
    service: PushService, sender: PlainSender, headers: dict[str, str], code: int
) -> None:
    assert sender.send(service.new_subscription(), "", **headers).status == code


@pytest.mark.parametrize(
    "changes",
    [{"aud": "https://push.example"}, {"exp": 1}, {"exp": 9_999_999_999}],
)
def test_it_refuses_wrong_claims(
    service: PushService, sender: PlainSender, changes: dict[str, Any]
) -> None:
    signed = sender.sign(service.url, **changes)
    assert sender.send(service.new_subscription(), "", Authorization=signed).status == 401
    with pytest.raises(NotSigned):
        service.verify_vapid(service.received[0])


def test_it_refuses_a_signature_of_another_key(service: PushService, sender: PlainSender) -> None:
    token = sender.sign(service.url).partition(",k=")[0]
    other = EXAMPLE.keys["p256dh"]
    answer = sender.send(service.new_subscription(), "", Authorization=f"{token},k={other}")
    assert answer.status == 401


def test_it_refuses_strangers_and_long_bodies(service: PushService, sender: PlainSender) -> None:
    subscription = service.new_subscription()
    stranger = {**subscription, "endpoint": f"{service.url}/push/nobody"}
    assert sender.send(stranger, "").status == 404
    assert sender.post(subscription, bytes(4097)).status == 413


def test_it_fails_as_it_is_told(service: PushService, sender: PlainSender) -> None:
    subscription = service.new_subscription()
    service.answer_with(
        status(429, Retry_After="7"), push_service.redirect(service.url), service.accept
    )
    answers = [sender.send(subscription, "") for _ in range(4)]
    assert [answer.status for answer in answers] == [429, 307, 201, 201]
    assert answers[0].headers["Retry-After"] == "7"
    assert answers[1].headers["Location"] == service.url


def test_it_resets_the_connection(service: PushService, certificates: Certificates) -> None:
    service.answer_with(service.reset)
    with connected(service, certificates) as secured:
        secured.sendall(REQUEST)
        # OpenSSL says the same of a reset and of an end.
        with socket.socket(fileno=secured.detach()) as plain, pytest.raises(ConnectionResetError):
            plain.settimeout(5)
            while plain.recv(1000):
                pass
    assert len(service.received) == 1


def test_it_answers_late(service: PushService, sender: PlainSender) -> None:
    answer, released = service.hold()
    service.answer_with(answer)
    codes: list[int] = []
    subscription = service.new_subscription()
    thread = threading.Thread(target=lambda: codes.append(sender.send(subscription, "").status))
    thread.start()
    service.wait_for(1, within=5)
    assert codes == []
    released.set()
    thread.join(5)
    assert codes == [201]


@pytest.mark.parametrize(
    ("answer", "beginning"),
    [
        (push_service.drip, b"H"),
        (push_service.endless_body, b"HTTP/1.1 201 Created\r\nContent-Length: 1073741824\r\n\r\n"),
        (push_service.endless_headers, b"HTTP/1.1 201 Created\r\n"),
    ],
)
def test_it_answers_without_end(
    service: PushService, certificates: Certificates, answer: Answer, beginning: bytes
) -> None:
    service.answer_with(answer)
    with connected(service, certificates) as secured:
        secured.sendall(REQUEST)
        assert secured.recv(1000) == beginning


class Browser:
    """What Firefox says, as a client of its own."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    def say(self, **message: Any) -> Any:
        """The answer."""
        self._connection.send(json.dumps(message))
        return self.hear()

    def hear(self) -> Any:
        return json.loads(self._connection.recv(5))

    def subscribe(self, receiver: Receiver, key: str = "") -> dict[str, Any]:
        answer = self.say(messageType="register", channelID="one", key=key)
        assert answer["status"] == 200
        return {"endpoint": answer["pushEndpoint"], "keys": receiver.keys}

    def acknowledge(self, message: Any) -> None:
        update = {"channelID": message["channelID"], "version": message["version"], "code": 100}
        self._connection.send(json.dumps({"messageType": "ack", "updates": [update]}))


def test_a_browser_gets_its_pushes(service: PushService, sender: PlainSender) -> None:
    receiver = Receiver()
    with connect(service.browsers.url, proxy=None) as connection:
        browser = Browser(connection)
        assert browser.say(messageType="hello", use_webpush=True)["status"] == 200
        assert browser.say() == {}
        subscription = browser.subscribe(receiver, sender.key + "=")
        assert sender.send(subscription, "Hej").status == 201
        message = browser.hear()
        assert receiver.decrypt(from_base64(message["data"])) == b'"Hej"'
        browser.acknowledge(message)
        (said,) = service.browsers.wait_for_acknowledgements(1, within=5)
        assert (said.message, said.code) == (message["version"], 100)
        assert browser.say(messageType="unregister", channelID="one")["status"] == 200
    assert sender.send(subscription, "").status == 410


def test_a_browser_names_who_may_send(service: PushService, sender: PlainSender) -> None:
    with connect(service.browsers.url, proxy=None) as connection:
        browser = Browser(connection)
        browser.say(messageType="hello")
        subscription = browser.subscribe(Receiver(), EXAMPLE.keys["p256dh"])
        assert sender.send(subscription, "").status == 403


def test_a_browser_gets_the_last_push_of_each_topic_when_it_is_back(
    service: PushService, sender: PlainSender
) -> None:
    receiver = Receiver()
    with connect(service.browsers.url, proxy=None) as connection:
        name = Browser(connection).say(messageType="hello")["uaid"]
        subscription = Browser(connection).subscribe(receiver)
    service.browsers.wait_until_gone(name, within=5)
    for topic, text in [("a", "old"), ("b", "other"), ("a", "new")]:
        sender.post(subscription, encrypt(subscription, text), Topic=topic)
    with connect(service.browsers.url, proxy=None) as connection:
        browser = Browser(connection)
        assert browser.say(messageType="hello", uaid=name)["uaid"] == name
        texts = [receiver.decrypt(from_base64(browser.hear()["data"])) for _ in range(2)]
    assert texts == [b"other", b"new"]


def test_certificates_are_of_one_run(tmp_path: Path, service: PushService) -> None:
    others = PlainSender(make_certificates(tmp_path))
    with pytest.raises(urllib3.exceptions.SSLError, match="verify"):
        others.send(service.new_subscription(), "")
