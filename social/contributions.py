"""What this app does for the others: see `accounts.registry`."""

from accounts.contribution_types import Contributions
from limits import limits_in
from social import limits
from social.data_map import PERSONAL_DATA
from social.services.conversations.parting import leave_refused_groups
from social.services.notifications.messages import MESSAGE
from social.services.notifications.people import FRIEND, INVITE, REPORT
from social.services.notifications.replies import REPLY
from social.services.presence import purge_presences
from social.services.refusals import purge_refusals
from social.services.report_kinds.groups import GROUP_REPORTS
from social.services.report_kinds.messages import MESSAGE_REPORTS
from social.services.report_kinds.profiles import PROFILE_REPORTS
from social.services.report_kinds.requests import FRIEND_REQUEST_REPORTS, INVITE_REPORTS
from social.services.reports import reports_by_day
from social.services.retention import enforce_retention, purge_past_memberships

CONTRIBUTIONS = Contributions(
    personal_data=PERSONAL_DATA,
    rate_limits=limits_in(limits),
    report_kinds=[
        MESSAGE_REPORTS,
        PROFILE_REPORTS,
        GROUP_REPORTS,
        INVITE_REPORTS,
        FRIEND_REQUEST_REPORTS,
    ],
    purges=[purge_refusals, purge_past_memberships, purge_presences],
    retention_jobs=[enforce_retention, leave_refused_groups],
    notification_kinds=[MESSAGE, REPLY, FRIEND, INVITE, REPORT],
    staff_charts=[reports_by_day],
    staff_permissions={
        "moderator": [
            "social.view_case",
            "social.change_case",
            "social.view_conversation",
            "social.view_invite",
        ]
    },
)
