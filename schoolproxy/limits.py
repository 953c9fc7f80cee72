"""The numbers of this app. Times are in seconds.

How long a personal copy is an answer, the operator says: `SCHOOL_CACHE_SECONDS`.
"""

# A personal copy serves this long when upstream fails.
STALE_SECONDS = 15 * 60
# What is the same for a whole school is asked for once an hour, and outlives a day of outage.
SCHOOL_FRESH_SECONDS = 60 * 60
SCHOOL_STALE_SECONDS = 24 * 60 * 60
# Longer than any fetch: all calls of one request have a deadline of 8 s between them.
WAIT_SECONDS = 20.0
# What a calendar shows when it is not asked for one week: the current one and those after it.
CALENDAR_WEEKS = 4
# A feed asks the school at most this often, and after trouble this often.
FEED_REFRESH_SECONDS = 5 * 60
FEED_RETRY_SECONDS = 60
# The last good weeks of a feed are kept this long.
FEED_KEPT_DAYS = 30
# 256 random bits, as text.
FEED_TOKEN_BYTES = 32
