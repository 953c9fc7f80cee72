# How often a process writes its counts: a killed process loses the ones since then. Django's
# setting STATS_FLUSH_SECONDS overrides it; with 0 nothing is written unless `flush` is called.
FLUSH_SECONDS = 2.0
# How long the published totals stay as they are.
PUBLISHED_SECONDS = 15 * 60
# A bucket with fewer accounts is suppressed: its number is part of "other".
MIN_ACCOUNTS = 10
# How long a process waits at exit for a flush that is already running.
EXIT_SECONDS = 5.0
