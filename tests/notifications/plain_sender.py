"""A sender of pushes without our service: its encryption and a plain HTTP client."""

import json
import time
from typing import Any
from urllib.parse import urlsplit

import urllib3
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02

from notifications.push.encryption import encrypt
from tests.notifications.certificates import Certificates
from tests.notifications.web_push import from_base64, public_bytes, to_base64


class PlainSender:
    """`key` is its public key, for `applicationServerKey`."""

    def __init__(self, certificates: Certificates) -> None:
        self._private = ec.generate_private_key(ec.SECP256R1())
        self.key = to_base64(public_bytes(self._private.public_key()))
        self._http = urllib3.PoolManager(ssl_context=certificates.client_context(), retries=False)

    def send(
        self, subscription: dict[str, Any], content: Any, **headers: str
    ) -> urllib3.BaseHTTPResponse:
        """Push this as JSON. Underscores in header names stand for hyphens."""
        encrypted = encrypt(
            json.dumps(content).encode(),
            p256dh=from_base64(subscription["keys"]["p256dh"]),
            auth=from_base64(subscription["keys"]["auth"]),
        )
        return self.post(subscription, encrypted, **headers)

    def post(
        self, subscription: dict[str, Any], body: bytes, **headers: str
    ) -> urllib3.BaseHTTPResponse:
        origin = f"https://{urlsplit(subscription['endpoint']).netloc}"
        changed = {name.replace("_", "-"): value for name, value in headers.items()}
        usual = {"TTL": "60", "Content-Encoding": "aes128gcm", "Authorization": self.sign(origin)}
        return self._http.request(
            "POST",
            subscription["endpoint"],
            body=body,
            headers=usual | changed,
            redirect=False,
            timeout=5,
        )

    def sign(self, audience: str, **changes: Any) -> str:
        """The `Authorization` header."""
        claims = {"aud": audience, "exp": int(time.time()) + 3600, "sub": "mailto:it@example.com"}
        return str(Vapid02(self._private).sign(claims | changes)["Authorization"])

    def close(self) -> None:
        self._http.clear()
