"""The numbers of this app. Times are in seconds.

How long a personal answer is fresh is a setting of the operator: `SCHOOL_CACHE_SECONDS`.
"""

from limits import RateLimit

# Reads that bypass the cache, by person.
CACHE_BYPASSES = RateLimit("fresh_reads", 12, 60)
# Files of the school, by person.
DOWNLOADS = RateLimit("downloads", 60, 60)
# Calendar feeds, by address, so that nobody guesses an address quickly.
FEED_READS = RateLimit("feed_reads", 60, 60, fails_open=False)

# A personal answer is stored this long, to be served when upstream fails.
STALE_SECONDS = 15 * 60
# Answers that an account (or a school) may store in that time: a pupil must not fill the store.
STORED_ANSWERS = 300
# A school-wide answer is fetched at most once an hour, and stored for a day.
SCHOOL_FRESH_SECONDS = 60 * 60
SCHOOL_STALE_SECONDS = 24 * 60 * 60
# What a school has switched on is asked for once an hour for a person; before another answer, the
# question takes at most so long.
FEATURES_SECONDS = 60 * 60
FEATURES_WAIT_SECONDS = 2
# After a failure it is not asked again for so long.
FEATURES_RETRY_SECONDS = 60
# Results on a page; each takes one request to the school.
RESULTS_A_PAGE = 20
RESULTS_A_PAGE_AT_MOST = 50
# Longer than any fetch: all calls of one request have a deadline of 8 s together.
WAIT_SECONDS = 20.0
# Weeks of a calendar whose query names none: the current one and those after it.
CALENDAR_WEEKS = 4
# Days of exams and of a calendar whose query names none, and the most that one may name.
DAYS_SHOWN = 28
MOST_DAYS = 62
# A feed calls upstream at most this often, and after a failure at most this often.
FEED_REFRESH_SECONDS = 5 * 60
FEED_RETRY_SECONDS = 60
# The last lessons that a feed fetched are stored this long.
FEED_KEPT_DAYS = 30
# 256 random bits, as text.
FEED_TOKEN_BYTES = 32

# Assignments that an account has ticked off, kept this long after they are due. A due date that is
# further ahead (in days) is nonsense, and would keep a tick for ever.
MAX_DONE = 2_000
DONE_KEPT_MONTHS = 13
LONGEST_WAY_AHEAD = 366

# --- The watch ---

# The budget (`WATCH_REQUESTS_PER_MINUTE`) is counted for each minute of the clock.
WATCH_BUDGET_SECONDS = 60
# A look sends nothing after this time; its last request ends within the time of one exchange.
WATCH_LOOK_SECONDS = 15
# A look asks at most this many questions.
WATCH_QUESTIONS = 4
# What it needs at most to renew its token, and to make and check its web session: for a pupil, for
# a guardian's child.
WATCH_SESSION_REQUESTS = 5
WATCH_CHILD_REQUESTS = 12
# When the school does not answer, the next look is this much later.
WATCH_RETRY_SECONDS = 5 * 60
# A guardian's list of children is read again after this time.
WATCH_CHILDREN_SECONDS = 24 * 60 * 60
# The school's menu, which says what it has switched on, is read again after this time.
WATCH_MENU_SECONDS = 6 * 60 * 60
# Looks are made between these hours of a weekday, in Stockholm.
WATCH_HOURS = (6, 21)
CHANGES_KEPT_DAYS = 30
# Changes in one answer, and in one notification.
CHANGES_SHOWN = 500
CHANGES_TOLD = 50
