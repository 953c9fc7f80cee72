"""What a browser's subscription holds, sealed in our row."""

from dataclasses import dataclass, field

import orjson

from accounts.encryption import seal, unseal
from notifications.models import PushSubscription


@dataclass(frozen=True, slots=True)
class BrowserSubscription:
    """The endpoint, a point on P-256 (65 bytes), and 16 bytes."""

    endpoint: str = field(repr=False)
    p256dh: bytes = field(repr=False)
    auth: bytes = field(repr=False)


def seal_browser(subscription: PushSubscription, browser: BrowserSubscription) -> bytes:
    values = [browser.endpoint, browser.p256dh.hex(), browser.auth.hex()]
    return seal("push subscription", subscription.pk.hex, orjson.dumps(values))


def open_browser(subscription: PushSubscription) -> BrowserSubscription | None:
    """None when no key opens it."""
    found = unseal("push subscription", subscription.pk.hex, bytes(subscription.sealed))
    if found is None:
        return None
    endpoint, p256dh, auth = orjson.loads(found)
    return BrowserSubscription(endpoint, bytes.fromhex(p256dh), bytes.fromhex(auth))
