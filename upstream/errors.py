"""What can go wrong between us and the upstream system.

The tree::

    UpstreamError
    |-- UpstreamAway                 nothing useful came back; the same call may work later
    |   |-- UpstreamUnreachable      no connection: DNS, refused, TLS, reset
    |   |-- UpstreamFailing          it answered 5xx
    |   |-- UpstreamThrottled        it answered 429
    |   |-- CircuitOpen              we stopped asking after a run of failures
    |   `-- BulkheadFull             too many calls to this school are in flight here
    |-- UpstreamTimeout              the deadline of the whole exchange passed
    |-- UpstreamInvalid              it answered nonsense
    |   `-- UpstreamChanged          a page or document whose layout is not recognised
    |-- SessionDead                  the web session or token that we sent is over
    |-- CredentialsRefused           wrong user name or password
    |-- PasswordLoginDisabled        the school signs in elsewhere (SAML, BankID)
    |-- GrantRefused                 the code or the refresh token was not accepted
    |-- NotForThisRole               403 for a session that lives
    |   `-- PageHidden               sent from a page to the start page: this school hides it
    `-- UpstreamNotFound             404: a school or a thing that is not there

No message holds a body, URL, cookie or token of theirs: a message is safe to log.
"""


class UpstreamError(Exception):
    """Anything that the upstream system, or the way to it, did wrong."""


class UpstreamAway(UpstreamError):
    """Nothing useful came back. `retry_after` is whole seconds, at least 1."""

    def __init__(self, message: str = "", *, retry_after: int = 5) -> None:
        super().__init__(message)
        self.retry_after = max(1, retry_after)


class UpstreamUnreachable(UpstreamAway):
    """No connection, or it was cut before an answer."""


class UpstreamFailing(UpstreamAway):
    """An answer of the 5xx kind. `status` is theirs."""

    def __init__(self, message: str = "", *, status: int = 500, retry_after: int = 5) -> None:
        super().__init__(message, retry_after=retry_after)
        self.status = status


class UpstreamThrottled(UpstreamAway):
    """An answer of 429; `retry_after` is theirs, where they said so."""


class CircuitOpen(UpstreamAway):
    """The breaker of this school is open: nothing was sent."""


class BulkheadFull(UpstreamAway):
    """No place came free in time: nothing was sent."""


class UpstreamTimeout(UpstreamError):
    """The exchange took longer than its deadline."""


class UpstreamInvalid(UpstreamError):
    """An answer that breaks the protocol, too large, or of the wrong kind."""


class UpstreamChanged(UpstreamInvalid):
    """A layout that is not recognised. `path` names the place, never a value."""

    def __init__(self, path: str) -> None:
        super().__init__(f"could not follow {path}")
        self.path = path


class SessionDead(UpstreamError):
    """The web session or the token is over."""


class CredentialsRefused(UpstreamError):
    """Wrong user name or password; upstream does not say which."""


class PasswordLoginDisabled(UpstreamError):
    """This school does not let people sign in with a password."""


class GrantRefused(UpstreamError):
    """The token endpoint did not accept the code or the refresh token."""


class NotForThisRole(UpstreamError):
    """The session lives, but this role may not see the thing."""


class PageHidden(NotForThisRole):
    """The session lives, but the school does not show this page."""


class UpstreamNotFound(UpstreamError):
    """Upstream knows no such thing."""
