"""The push service of the tests itself: it reads what RFC 8291 says, and is as strict as others."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from tests.notifications import push_service
from tests.notifications.certificates import Certificates
from tests.notifications.plain_sender import PlainSender
from tests.notifications.push_service import PushService
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


@pytest.fixture
def service(certificates: Certificates) -> Iterator[PushService]:
    with push_service.running(certificates) as running:
        yield running


@pytest.fixture
def sender(certificates: Certificates) -> Iterator[PlainSender]:
    sender = PlainSender(certificates)
    yield sender
    sender.close()


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
