"""The numbers of this app."""

# Totals may lag by a minute; two seconds keep what a killed process loses small.
# Django's setting STATS_FLUSH_SECONDS overrides it; 0 means that nothing is written unasked.
FLUSH_SECONDS = 2.0

# How long one process answers from memory: the route is public and has no limit of its own.
ANSWER_SECONDS = 5.0

# A bucket that fewer accounts contributed to is folded into "other".
MIN_ACCOUNTS = 10

# Keys kept in memory while the database is away. A new key beyond it is dropped with a warning.
MAX_PENDING_KEYS = 5_000

# How long a process that stops waits for a flush that is already running.
EXIT_SECONDS = 5.0
