"""Limits on notifications and pushes."""

from limits import RateLimit

PAGE_NOTIFICATIONS = 50
MAX_PAGE_NOTIFICATIONS = 100
# An account has no more of them, and none that is older.
MAX_NOTIFICATIONS = 500
KEPT_DAYS = 30
MAX_MUTED = 500
MAX_SUBSCRIPTIONS = 10

# Each may make the service call an address.
PUSH_SUBSCRIPTIONS = RateLimit("push_subscriptions", 20, 3600)
PUSH_TESTS = RateLimit("push_tests", 10, 600)
