"""Who is calling, as every view, socket and service sees them."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from upstream.records import Role, UpstreamSession, WebSession


class CredentialHint(NamedTuple):
    """Whose a credential is. Never changes for a credential, so a process may remember it; it does
    not say whether the session is still valid. Cache keys are made from it."""

    account_id: int
    school: str
    role: Role
    credential_hash: str
    organization_id: int | None = None


@dataclass(slots=True)
class RenewedSession:
    """The web session that has replaced the caller's during their request: its cookies go out on
    the same answer."""

    web: WebSession | None = field(default=None, repr=False)
    seconds: int = 0


@dataclass(frozen=True, slots=True)
class Caller:
    """A signed-in person on one device.

    `session_key` identifies the session in events and caches: the record's id, or a hash for a
    cookie pair without a record (`session_id` is None then). `token_ends_at` is when the access
    token expires (Unix seconds; None without a record). `watches`: the account has a watch, as far
    as the look-up of the session said.
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
    watches: bool = False
    renewed: RenewedSession = field(default_factory=RenewedSession, compare=False)

    # Read by DRF's IsAuthenticated.
    is_authenticated = True

    @property
    def name(self) -> str:
        """First and last name, or the public name when upstream has neither."""
        return f"{self.upstream.first_name} {self.upstream.last_name}".strip() or self.username

    @property
    def role(self) -> Role:
        return self.upstream.role

    @property
    def hint(self) -> CredentialHint:
        return CredentialHint(
            self.account_id,
            self.school,
            self.role,
            self.credential_hash,
            self.upstream.organization_id,
        )
