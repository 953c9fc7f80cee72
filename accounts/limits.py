"""The numbers of this app. Times are in seconds."""

from accounts.rate_limits import RateLimit

# Failed logins, by user name and client network, so that the person is not locked out elsewhere.
LOGIN = RateLimit("login", 5, 30 * 60, fails_open=False)
# Failed logins, by address: a whole school can share one.
LOGIN_ADDRESS = RateLimit("login_address", 300, 5 * 60, fails_open=False)
# Cookie pairs that we do not know, by address: trying them out must not stop anybody's login.
UNKNOWN_COOKIES = RateLimit("unknown_cookies", 60, 60, fails_open=False)
# The others by account.
REFRESH = RateLimit("refresh", 30, 60)
READS = RateLimit("reads", 600, 60)
WRITES = RateLimit("writes", 120, 60)
UPLOADS = RateLimit("uploads", 10, 60 * 60)
EXPORTS = RateLimit("exports", 5, 60 * 60)

MAX_SESSIONS = 50
PICTURE_BYTES = 5 * 1024 * 1024
PICTURE_PIXELS = 16_000_000
PICTURE_NAME_BYTES = 24
# Pictures decoded at once in a process, and how long others wait for one of these slots.
PICTURE_SLOTS = 2
PICTURE_WAIT_SECONDS = 5.0
ATTEMPT_SECONDS = 300
ATTEMPT_TRIES = 3
PREVIOUS_PAIR_SECONDS = 60


def request_limit(method: str | None) -> RateLimit:
    return READS if method in ("GET", "HEAD") else WRITES
