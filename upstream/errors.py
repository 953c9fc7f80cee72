"""Errors of calls to the school system.

The tree::

    UpstreamError
    |-- UpstreamAway                 upstream is not available; the same call may work later
    |   |-- UpstreamUnreachable      no connection (DNS, refused, TLS), or it was cut
    |   |-- UpstreamFailing          it answered 5xx
    |   |-- UpstreamThrottled        it answered 429
    |   |-- CircuitOpen              nothing was sent: this school failed, or sent a 429
    |   `-- BulkheadFull             nothing was sent: this school occupies its share
    |-- UpstreamTimeout              the deadline of the whole exchange has passed
    |-- UpstreamInvalid              the response breaks the protocol
    |   `-- UpstreamChanged          a page or document whose layout is not recognised
    |-- SessionDead                  the web session or token has ended
    |-- CredentialsRefused           wrong user name or password
    |-- PasswordLoginDisabled        the school uses another login (SAML, BankID)
    |-- GrantRefused                 the code or the refresh token was not accepted
    |-- NotForThisRole               403 for a valid session
    |   `-- PageHidden               redirected to the start page: the school hides the page
    `-- UpstreamNotFound             404: no such school or resource

No message holds a body, URL, cookie or token, so every message is safe to log.
"""


class UpstreamError(Exception):
    """The base of all errors of calls to the school system."""


class UpstreamAway(UpstreamError):
    """Upstream is not available. `retry_after` is in whole seconds, at least 1."""

    def __init__(self, message: str = "", *, retry_after: int = 5) -> None:
        super().__init__(message)
        self.retry_after = max(1, retry_after)


class UpstreamUnreachable(UpstreamAway):
    """No connection, or it was cut before the response was complete."""


class UpstreamFailing(UpstreamAway):
    """Upstream answered 5xx, which is `status`."""

    def __init__(self, message: str = "", *, status: int = 500, retry_after: int = 5) -> None:
        super().__init__(message, retry_after=retry_after)
        self.status = status


class UpstreamThrottled(UpstreamAway):
    """Upstream answered 429; `retry_after` is from its `Retry-After`, if it sent one."""


class CircuitOpen(UpstreamAway):
    """The circuit of this school is open: nothing was sent."""


class BulkheadFull(UpstreamAway):
    """The school occupies its share of threads or slots: nothing was sent."""


class UpstreamTimeout(UpstreamError):
    """The exchange took longer than its deadline."""


class UpstreamInvalid(UpstreamError):
    """A response that breaks the protocol, is too large, or is of the wrong kind."""


class UpstreamChanged(UpstreamInvalid):
    """A layout that is not recognised. `path` says where, and never holds a value."""

    def __init__(self, path: str) -> None:
        super().__init__(f"could not follow {path}")
        self.path = path


class SessionDead(UpstreamError):
    """The web session or the token has ended."""


class CredentialsRefused(UpstreamError):
    """Wrong user name or password; upstream does not say which."""


class PasswordLoginDisabled(UpstreamError):
    """This school does not allow password logins."""


class GrantRefused(UpstreamError):
    """The token endpoint did not accept the code or the refresh token."""


class NotForThisRole(UpstreamError):
    """The session is valid, but this role may not see the resource."""


class PageHidden(NotForThisRole):
    """The session is valid, but the school does not show this page."""


class UpstreamNotFound(UpstreamError):
    """Upstream has no such school or resource."""
