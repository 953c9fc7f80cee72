"""The interface of a dialect."""

from typing import Protocol

from upstream.records import Role
from upstream.transport import Request


class Dialect(Protocol):
    """Builds the requests of a login. It sends nothing and reads no response."""

    name: str
    redirect_uri: str
    # Whether the response to the password request repeats the redirect URI.
    echoes_redirect: bool
    # Whether the translation of a token needs the ids and the role of its owner.
    wants_identity: bool

    def authorization(
        self,
        base: str,
        school: str,
        *,
        username: str,
        password: str,
        challenge: str,
        state: str,
        orgid: str | None,
    ) -> Request:
        """The password request."""

    def code_exchange(self, base: str, school: str, *, code: str, verifier: str) -> Request:
        """The token request for a code."""

    def refresh(self, base: str, school: str, *, refresh_token: str) -> Request:
        """The token request for a refresh token."""

    def translation(
        self,
        base: str,
        school: str,
        *,
        access_token: str,
        user_id: int | None,
        org_id: int | None,
        role: Role | None,
    ) -> Request:
        """The request that turns a token into cookies."""

    def role(self, type_id: int | None, type_name: str) -> Role | None:
        """The role of a user type; None if neither number nor name is known."""
