"""Authorization codes, access tokens and refresh tokens: the state table of the login flow."""

import base64
import hashlib
import hmac
import json
import secrets
import threading
import uuid
from dataclasses import dataclass

from upstream.simulator.clock import Clock
from upstream.simulator.people import Person

_JWT_USER_TYPES = {"student": "STUDENT", "teacher": "STAFF", "guardian": "PARENT"}


class UnknownCode(Exception):
    """The code was never issued here, is used, or is too old."""


class WrongVerifier(Exception):
    """The verifier does not belong to the challenge; the code stays issued."""


@dataclass(frozen=True, slots=True)
class IssuedSecret:
    """What a secret stands for, and until when (Unix seconds; None for ever)."""

    person: Person
    expires_at: float | None = None
    challenge: str = ""


class Tokens:
    """Every live code and token. Safe to use from several threads."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._codes: dict[str, IssuedSecret] = {}
        self._tokens: dict[str, IssuedSecret] = {}
        self._refresh_tokens: dict[str, IssuedSecret] = {}

    def issue_code(self, person: Person, challenge: str, seconds: float) -> str:
        code = secrets.token_urlsafe(9)
        with self._lock:
            self._codes[code] = IssuedSecret(person, self._clock.now() + seconds, challenge)
        return code

    def redeem_code(self, school: str, code: str, verifier: str) -> Person:
        """Take the code and say whose it was.

        Raises: UnknownCode; WrongVerifier, after which the code still works.
        """
        given = hashlib.sha256(verifier.encode()).digest()
        challenge = base64.urlsafe_b64encode(given).rstrip(b"=").decode()
        with self._lock:
            grant = self._live(self._codes.get(code), school)
            if grant is None:
                raise UnknownCode
            if not hmac.compare_digest(grant.challenge, challenge):
                raise WrongVerifier
            del self._codes[code]
        return grant.person

    def issue_token(self, person: Person, seconds: int) -> str:
        """An access token that looks like theirs: a JWT whose signature nobody can check."""
        now = int(self._clock.now())
        claims = {
            "iss": "simulator/core/login",
            "sub": str(uuid.uuid4()),
            "aud": "simulator/eva-backend",
            "user_type": _JWT_USER_TYPES[person.role],
            "login_method": "PASSWORD",
            "client_id": "eApp",
            "iat": now,
            "exp": now + seconds,
        }
        parts = [json.dumps({"alg": "RS256"}).encode(), json.dumps(claims).encode()]
        parts.append(secrets.token_bytes(256))
        token = ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)
        with self._lock:
            self._tokens[token] = IssuedSecret(person, self._clock.now() + seconds)
        return token

    def issue_refresh_token(self, person: Person) -> str:
        token = secrets.token_urlsafe(32)
        with self._lock:
            self._refresh_tokens[token] = IssuedSecret(person)
        return token

    def redeem_refresh_token(self, school: str, token: str) -> Person | None:
        """Whose it was. It is dead from now on: refresh tokens rotate."""
        with self._lock:
            grant = self._live(self._refresh_tokens.get(token), school)
            if grant is None:
                return None
            del self._refresh_tokens[token]
        return grant.person

    def person_of(self, school: str, token: str | None) -> Person | None:
        """Whose live access token this is at this school."""
        with self._lock:
            grant = self._live(self._tokens.get(token or ""), school)
        return None if grant is None else grant.person

    def kill(self, person: Person) -> None:
        """Revoke the person's access and refresh tokens."""
        with self._lock:
            for table in (self._tokens, self._refresh_tokens):
                for key in [key for key, grant in table.items() if grant.person == person]:
                    del table[key]

    def _live(self, grant: IssuedSecret | None, school: str) -> IssuedSecret | None:
        if grant is None or grant.person.school != school:
            return None
        late = grant.expires_at is not None and grant.expires_at <= self._clock.now()
        return None if late else grant
