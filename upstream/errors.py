"""Errors of calls to the school system.

No message holds a body, URL, cookie or token, so every message is safe to log.
"""


class UpstreamError(Exception):
    """The base of all of them."""


class UpstreamUnavailable(UpstreamError):
    """Upstream is not available; the same call may work after `retry_after` seconds."""

    def __init__(self, message: str = "", *, retry_after: int = 5) -> None:
        super().__init__(message)
        self.retry_after = max(1, retry_after)


class UpstreamUnreachable(UpstreamUnavailable):
    """No connection (DNS, refused, TLS), or it was cut before the response was complete."""


class UpstreamFailing(UpstreamUnavailable):
    """Upstream answered 5xx, which is `status`."""

    def __init__(self, message: str = "", *, status: int = 500, retry_after: int = 5) -> None:
        super().__init__(message, retry_after=retry_after)
        self.status = status


class UpstreamThrottled(UpstreamUnavailable):
    """Upstream answered 429; `retry_after` is from its `Retry-After`, if it sent one."""


class CircuitOpen(UpstreamUnavailable):
    """This school failed, or sent a 429: nothing was sent."""


class BulkheadFull(UpstreamUnavailable):
    """The school occupies its share of threads or slots: nothing was sent."""


class QuotaSpent(UpstreamUnavailable):
    """The work has sent as many requests as it may: nothing was sent."""


class UpstreamTimeout(UpstreamError):
    """The exchange took longer than its deadline."""


class UpstreamInvalid(UpstreamError):
    """A response that breaks the protocol, is too large, or is of the wrong kind."""


class AnswerTooLarge(UpstreamInvalid):
    """A document or page with more bytes than we read."""


class FileTooLarge(UpstreamError):
    """A file has more bytes than we pass on."""


class UpstreamChanged(UpstreamInvalid):
    """A layout that is not recognised. `where` never holds a value."""

    def __init__(self, where: str) -> None:
        super().__init__(f"could not follow {where}")


class ForeignOrganization(UpstreamChanged):
    """A session answer of an organisation that does not belong to the school's slug."""

    def __init__(self) -> None:
        super().__init__("the organisation of a session")


class ChildNotProven(UpstreamChanged):
    """A web session does not say that it shows the child that a guardian asked for."""

    def __init__(self) -> None:
        super().__init__("the child of a guardian's session")


class SessionDead(UpstreamError):
    """The web session or the token has ended."""


class WrongKind(SessionDead):
    """The token is of another kind of person than it should be, or no organisation of the school
    knows its owner as one of this kind."""


class CredentialsRefused(UpstreamError):
    """Wrong user name or password; upstream does not say which."""


class PasswordLoginDisabled(UpstreamError):
    """The school uses another login (SAML, BankID). `redirect`: through a page of its own, to which
    we can send people."""

    def __init__(self, message: str = "", *, redirect: bool = False) -> None:
        super().__init__(message)
        self.redirect = redirect

    @property
    def details(self) -> dict[str, bool]:
        """What the error response has besides the code and the sentence."""
        return {"redirect": True} if self.redirect else {}


class GrantRefused(UpstreamError):
    """The token endpoint did not accept the code or the refresh token."""


class NotForThisRole(UpstreamError):
    """403 for a valid session: this role may not see the resource."""


class NotForThisLogin(NotForThisRole):
    """Upstream shows the page only to whoever has signed in on its own web pages."""


class PageHidden(NotForThisRole):
    """Redirected to the start page: the school hides the page."""


class UpstreamNotFound(UpstreamError):
    """404: no such school or resource."""
