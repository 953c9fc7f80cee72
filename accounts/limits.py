"""The numbers of this app. Times are in seconds."""

from limits import RateLimit

# Failed logins, by user name and client network, so that the person is not locked out elsewhere.
LOGIN = RateLimit("login", 5, 30 * 60, fails_open=False)
# Failed logins, by address: a whole school can share one.
LOGIN_ADDRESS = RateLimit("login_address", 300, 5 * 60, fails_open=False)
# Starts of sign-ins at the school's own page that led to none, by address.
PAGE_STARTS = RateLimit("page_starts", 300, 5 * 60, fails_open=False)
# Cookie pairs that we do not know, by address: trying them out must not stop anybody's login.
UNKNOWN_COOKIES = RateLimit("unknown_cookies", 60, 60, fails_open=False)
# The others by person.
REFRESH = RateLimit("refresh", 30, 60)
READS = RateLimit("reads", 600, 60)
WRITES = RateLimit("writes", 120, 60)
UPLOADS = RateLimit("uploads", 10, 60 * 60)
EXPORTS = RateLimit("exports", 5, 60 * 60)
# Of one's own account. Not those by an operator's command.
ERASURES = RateLimit("erasures", 1, 24 * 60 * 60, fails_open=False)

MAX_SESSIONS = 50
# Changes of the texts of a profile in fourteen days: all of them are kept for a report.
PROFILE_CHANGES = 100
# The same of its pictures. Fewer, because all of them are in the evidence of each report.
PICTURE_CHANGES = 30
PICTURE_BYTES = 10 * 1024 * 1024
PICTURE_MEGAPIXELS = 64
# Of formats that are decoded whole: what was measured to take 150 MiB or a second. An ordinary JPEG
# is decoded at a reduced size. A pixel of a progressive one has 1.5 to 4 samples.
PROGRESSIVE_MEGASAMPLES = 54
GIF_MEGAPIXELS = 64
HEIC_MEGAPIXELS = 24
PNG_MEGAPIXELS = 16
WEBP_MEGAPIXELS = 8
PICTURE_NAME_BYTES = 24
# Pictures of an account that are in no profile yet, and how long they are kept.
WAITING_PICTURES = 4
WAITING_PICTURE_SECONDS = 60 * 60
# Pictures decoded at once in a process, and how long others wait for one of these slots.
PICTURE_SLOTS = 2
PICTURE_WAIT_SECONDS = 5.0
ATTEMPT_SECONDS = 300
# Longer than any back-up is kept that may still be restored; deploy/list_erasures.sh has it too.
ERASURES_KEPT_DAYS = 400
ATTEMPT_TRIES = 3
# A sign-in at the school's own page, and how long an app may take to come with its ticket.
PAGE_ATTEMPT_SECONDS = 600
TICKET_SECONDS = 60
# A sign-in through the page that is younger than this confirms what a password would.
FRESH_SIGN_IN_SECONDS = 600
PREVIOUS_PAIR_SECONDS = 60
# A token that ends sooner is renewed before it is used, where there is a refresh token.
RENEW_AHEAD_SECONDS = 60
# How long a login lasts after its last renewal.
RENEWED_SECONDS = 30 * 24 * 3600
# Longer than any web session of upstream, so that a cookie pair stays ended.
WEB_SESSION_KEPT_SECONDS = 6 * 3600


# A guardian's list of children is read again after this, and used for so long while that fails.
CHILDREN_FRESH_SECONDS = 10 * 60
CHILDREN_KEPT_SECONDS = 60 * 60
# A web session made for a child is used for so long; upstream ends it after about an hour.
CHILD_SESSION_SECONDS = 50 * 60
# A login makes one such session at a time: longer than the deadline of all calls of a request; and
# how long others wait for it.
CHILD_LOCK_SECONDS = 20.0
CHILD_LOCK_WAIT_SECONDS = 10.0


def request_limit(method: str | None) -> RateLimit:
    return READS if method in ("GET", "HEAD") else WRITES
