"""Limits on notifications and pushes."""

from datetime import timedelta
from typing import Final

from limits import RateLimit

PAGE_NOTIFICATIONS = 50
MAX_PAGE_NOTIFICATIONS = 100
# An account has no more of them, and none that is older.
MAX_NOTIFICATIONS = 500
KEPT_DAYS = 30
# Between two pushes of one notification, or of two about being mentioned in one conversation.
PUSHED_AGAIN_AFTER: Final = timedelta(minutes=2)
MAX_MUTED = 500
MAX_SUBSCRIPTIONS = 10

# Each may make the service call an address.
PUSH_SUBSCRIPTIONS = RateLimit("push_subscriptions", 20, 3600)
PUSH_TESTS = RateLimit("push_tests", 10, 600)
