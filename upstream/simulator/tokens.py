"""Issued authorization codes, access tokens and refresh tokens."""

import base64
import hashlib
import hmac
import json
import secrets
import threading
import uuid
from dataclasses import dataclass
from dataclasses import replace as with_changes

from upstream.simulator.clock import Clock
from upstream.simulator.people import Person

_JWT_USER_TYPES = {"student": "STUDENT", "teacher": "STAFF", "guardian": "PARENT"}

REUSE_SECONDS = 30


class UnknownCode(Exception):
    """The code was never issued, is used, or has expired."""


class WrongVerifier(Exception):
    """The verifier does not match the challenge; the code stays valid."""


@dataclass(frozen=True, slots=True)
class IssuedSecret:
    """Whose a code or a token is, and until when (Unix seconds; None: it does not expire)."""

    person: Person
    expires_at: float | None = None
    challenge: str = ""
    client_id: str = "eApp"


class Tokens:
    """Every live code and token. Thread-safe."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._codes: dict[str, IssuedSecret] = {}
        self._tokens: dict[str, IssuedSecret] = {}
        self._refresh_tokens: dict[str, IssuedSecret] = {}
        self._used_refresh_tokens: dict[str, IssuedSecret] = {}

    def issue_code(
        self, person: Person, challenge: str, seconds: float, client_id: str = "eApp"
    ) -> str:
        code = secrets.token_urlsafe(9)
        issued = IssuedSecret(person, self._clock.now() + seconds, challenge, client_id)
        with self._lock:
            self._codes[code] = issued
        return code

    def redeem_code(
        self, school: str, code: str, verifier: str, client_id: str = "eApp"
    ) -> IssuedSecret:
        """Use up the code and return what was issued.

        Raises: UnknownCode; WrongVerifier, after which the code still works.
        """
        given = hashlib.sha256(verifier.encode()).digest()
        challenge = base64.urlsafe_b64encode(given).rstrip(b"=").decode()
        with self._lock:
            issued = self._live(self._codes.get(code), school)
            if issued is None or issued.client_id != client_id:
                raise UnknownCode
            if not hmac.compare_digest(issued.challenge, challenge):
                raise WrongVerifier
            del self._codes[code]
        return issued

    def issue_token(
        self, person: Person, seconds: int, client_id: str = "eApp", user_type: str | None = ""
    ) -> str:
        """A new access token in the form of theirs: a JWT with a random signature. It names the
        person's own kind unless it gets another `user_type`, or none."""
        now = int(self._clock.now())
        claims = {
            "iss": "simulator/core/login",
            "sub": str(uuid.uuid4()),
            "aud": "simulator/eva-backend",
            "user_type": _JWT_USER_TYPES[person.role] if user_type == "" else user_type,
            "login_method": "PASSWORD",
            "client_id": client_id,
            "iat": now,
            "exp": now + seconds,
        }
        parts = [json.dumps({"alg": "RS256"}).encode(), json.dumps(claims).encode()]
        parts.append(secrets.token_bytes(256))
        token = ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)
        with self._lock:
            self._tokens[token] = IssuedSecret(person, self._clock.now() + seconds)
        return token

    def issue_refresh_token(self, person: Person, client_id: str = "eApp") -> str:
        token = secrets.token_urlsafe(32)
        with self._lock:
            self._refresh_tokens[token] = IssuedSecret(person, client_id=client_id)
        return token

    def redeem_refresh_token(self, school: str, token: str, reuse: str) -> IssuedSecret | None:
        """Use up the refresh token and return what was issued; None if it is not valid.

        `reuse` of a used one: "refused", "tolerated" for 30 s, or "kills" all of the person's.
        """
        with self._lock:
            issued = self._live(self._refresh_tokens.pop(token, None), school)
            if issued is not None:
                self._used_refresh_tokens[token] = with_changes(
                    issued, expires_at=self._clock.now() + REUSE_SECONDS
                )
                return issued
            used = self._used_refresh_tokens.get(token)
        if used is not None and reuse == "kills":
            self.revoke(used.person)
        with self._lock:
            return self._live(used, school) if reuse == "tolerated" else None

    def person_of(self, school: str, token: str | None) -> Person | None:
        """The person whose live access token this is at this school."""
        with self._lock:
            issued = self._live(self._tokens.get(token or ""), school)
        return None if issued is None else issued.person

    def revoke(self, person: Person) -> None:
        """Revoke the person's access and refresh tokens."""
        with self._lock:
            for table in (self._tokens, self._refresh_tokens):
                for key in [key for key, issued in table.items() if issued.person == person]:
                    del table[key]

    def replace(self, person: Person, changed: Person) -> None:
        """Put the changed record of a person into their codes and tokens."""
        with self._lock:
            for table in (self._codes, self._tokens, self._refresh_tokens):
                for secret, issued in table.items():
                    if issued.person == person:
                        table[secret] = with_changes(issued, person=changed)

    def revoke_all_refresh_tokens(self) -> None:
        with self._lock:
            self._refresh_tokens.clear()

    def _live(self, issued: IssuedSecret | None, school: str) -> IssuedSecret | None:
        if issued is None or issued.person.school != school:
            return None
        expired = issued.expires_at is not None and issued.expires_at <= self._clock.now()
        return None if expired else issued
