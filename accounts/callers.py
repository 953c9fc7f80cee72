"""Who is calling, as every view, socket and service sees them."""

from dataclasses import dataclass, field
from typing import Literal

from accounts.addresses import network_of
from accounts.person_hash import hash_of_person
from upstream.records import Role, UpstreamSession, WebSession


def network_person(address: str) -> str:
    """Who calls the school system, in the words of `upstream.person`, where nobody has signed in:
    the network of their address. A signed-in person is their `person_hash`."""
    return f"network {network_of(address)}"


@dataclass(slots=True)
class RenewedSession:
    """The web session that has replaced the caller's during their request: its cookies go out on
    the same answer, for so many `seconds` (None: until the browser is closed)."""

    web: WebSession | None = field(default=None, repr=False)
    seconds: int | None = None


@dataclass(frozen=True, slots=True)
class Caller:
    """A signed-in person on one device.

    `session_key` identifies the session in events and caches: the record's id, or a hash for a
    cookie pair without a record (`session_id` is None then). `token_ends_at` is when the login
    ends, with its token or later (Unix seconds; None without a record).
    """

    account_id: int
    username: str
    session_id: str | None
    session_key: str
    via: Literal["cookie", "bearer"]
    credential_hash: str = field(repr=False)
    school: str
    web: WebSession
    upstream: UpstreamSession = field(repr=False)
    token_ends_at: float | None = None
    renewed: RenewedSession = field(default_factory=RenewedSession, compare=False)

    # Read by DRF's IsAuthenticated.
    is_authenticated = True

    @property
    def name(self) -> str:
        """First and last name, or the public name when upstream has neither."""
        return f"{self.upstream.first_name} {self.upstream.last_name}".strip() or self.username

    @property
    def person_hash(self) -> str:
        """Recognises the person, also in the next account after an erasure: limits count by it, and
        the school system is called for it (`upstream.person`)."""
        return hash_of_person(self.school, self.upstream.user_id)

    @property
    def role(self) -> Role:
        return self.upstream.role
