"""What this app does for the others: see `accounts.registry`."""

from accounts.contribution_types import Contributions
from limits import limits_in
from notifications import limits
from notifications.data_map import PERSONAL_DATA
from notifications.services.notifications import purge_notifications
from notifications.services.own_kinds import ACCOUNT, TEST
from notifications.services.subscriptions import purge_subscriptions

CONTRIBUTIONS = Contributions(
    personal_data=PERSONAL_DATA,
    rate_limits=limits_in(limits),
    purges=[purge_notifications, purge_subscriptions],
    notification_kinds=[ACCOUNT, TEST],
)
