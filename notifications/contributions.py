"""What this app does for the others: see `accounts.registry`."""

from accounts.contribution_types import Contributions, RecurringJob
from accounts.rate_limits import limits_in
from notifications import limits
from notifications.data_map import PERSONAL_DATA
from notifications.services.notifications import purge_notifications
from notifications.services.own_kinds import ACCOUNT, TEST
from notifications.services.pushes import push_held
from notifications.services.subscriptions import purge_subscriptions

CONTRIBUTIONS = Contributions(
    personal_data=PERSONAL_DATA,
    rate_limits=limits_in(limits),
    purges=[purge_notifications, purge_subscriptions],
    recurring_jobs=[RecurringJob(name="pushes after quiet hours", seconds=30, run=push_held)],
    notification_kinds=[ACCOUNT, TEST],
)
