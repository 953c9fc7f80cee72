"""Sign in through the school's own page, as a native app does: in the system's browser (RFC 8252).

The operator of the service lists http://127.0.0.1/signed-in in
LOGIN_REDIRECTS; the port is chosen here.
"""

import base64
import hashlib
import os
import secrets
import sys
import webbrowser
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx

SERVICE = os.environ.get("SERVICE", "http://127.0.0.1:8000")
SCHOOL = os.environ.get("SCHOOL", "granskolan")


def sign_in(kind: str) -> str:
    """The access token of whoever signs in. `kind` is student or guardian."""
    verifier, state = secrets.token_urlsafe(32), secrets.token_urlsafe(16)
    digest = hashlib.sha256(verifier.encode()).digest()
    challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
    returned: dict[str, str] = {}

    class Waiting(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            values = {name: text[0] for name, text in parse_qs(urlsplit(self.path).query).items()}
            # Any page can call this address, so what is not the answer to our question is ignored.
            if secrets.compare_digest(values.get("state", "").encode(), state.encode()):
                returned.update(values)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"You can close this page and go back to the app.")

        def log_message(self, *_: Any) -> None:
            """The ticket belongs in no log."""

    with HTTPServer(("127.0.0.1", 0), Waiting) as server:
        question = {"school": SCHOOL, "kind": kind, "state": state, "codeChallenge": challenge}
        question["redirectUri"] = f"http://127.0.0.1:{server.server_port}/signed-in"
        address = f"{SERVICE}/api/v2/authorize?{urlencode(question)}"
        print(f"Sign in here: {address}", flush=True)
        webbrowser.open(address)
        while not returned:
            server.handle_request()
    if "error" in returned:
        sys.exit(f"You are not signed in: {returned['error']}")
    ticket = {"ticket": returned["ticket"], "codeVerifier": verifier}
    return str(good(httpx.post(f"{SERVICE}/api/v2/callback", json=ticket))["access_token"])


def good(answer: httpx.Response) -> dict[str, Any]:
    body: dict[str, Any] = answer.json()
    if answer.is_error:
        sys.exit(body["error"])
    return body


if __name__ == "__main__":
    token = sign_in(sys.argv[1] if len(sys.argv) > 1 else "student")
    bearer = {"Authorization": f"Bearer {token}"}
    person = good(httpx.get(f"{SERVICE}/api/session", headers=bearer))
    print(f"{person['name']} ({person['role']}) has signed in.")
