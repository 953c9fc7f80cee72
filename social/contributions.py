"""What this app does for the others: see `accounts.registry`."""

from accounts.contribution_types import Contributions
from accounts.rate_limits import limits_in
from social import limits
from social.api.imports import BLOCKS, CONVERSATIONS, FRIENDSHIPS, MESSAGES
from social.data_map import PERSONAL_DATA
from social.services.cases.read import count_cases
from social.services.imports.roles import end_refused_contacts
from social.services.notifications.messages import MESSAGE, REPLY
from social.services.notifications.people import FRIEND, INVITE, REPORT
from social.services.profiles import count_new_name
from social.services.report_kinds.groups import GROUP_REPORTS
from social.services.report_kinds.messages import MESSAGE_REPORTS
from social.services.report_kinds.profiles import PROFILE_REPORTS
from social.services.reports import reports_by_day
from social.services.retention import enforce_retention

CONTRIBUTIONS = Contributions(
    personal_data=PERSONAL_DATA,
    rate_limits=limits_in(limits),
    import_kinds=[BLOCKS, FRIENDSHIPS, CONVERSATIONS, MESSAGES],
    role_corrected=end_refused_contacts,
    renamed=count_new_name,
    report_kinds=[MESSAGE_REPORTS, PROFILE_REPORTS, GROUP_REPORTS],
    retention_jobs=[enforce_retention],
    notification_kinds=[MESSAGE, REPLY, FRIEND, INVITE, REPORT],
    staff_charts=[reports_by_day],
    staff_counts=[count_cases],
    staff_permissions={
        "moderator": ["view_case", "change_case", "view_conversation", "view_invite"]
    },
)
