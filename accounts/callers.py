"""Who is calling, as every view, socket and service sees them."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from upstream.records import Role, UpstreamSession, WebSession


class CredentialHint(NamedTuple):
    """As much of a caller as the key of a kept copy may depend on. It never changes for a
    credential, so a process may remember it; whether the session still holds, it does not say."""

    account_id: int
    school: str
    role: Role
    credential_hash: str
    organization_id: int | None = None


@dataclass(frozen=True, slots=True)
class Caller:
    """A signed-in person on one device.

    `session_key` names the session in events and caches: the record's id, or a hash where no
    record knows the cookie pair (`session_id` is None then). `confirmed` is False in an outage:
    upstream could not be asked, and an earlier answer still counts.
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
    confirmed: bool = True

    # What DRF's IsAuthenticated asks.
    is_authenticated = True

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
