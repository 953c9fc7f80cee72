"""What this app does for the others: see `accounts.registry`."""

from accounts import limits
from accounts.api.imports import PEOPLE
from accounts.contribution_types import Contributions
from accounts.data_map import PERSONAL_DATA
from accounts.jobs.queue import purge_jobs
from accounts.outbox import purge_outbox
from accounts.rate_limits import limits_in
from accounts.services.erasure import finish_erasures
from accounts.services.expired_sessions import purge_expired_sessions
from accounts.services.imports.retention import purge_imports
from accounts.services.pictures import purge_waiting_pictures
from accounts.services.staff_charts import new_accounts_by_day, sign_ins_by_day
from accounts.services.suspension import purge_suspensions
from accounts.services.warnings import purge_warnings
from accounts.staff_sessions import purge_staff_sign_ins

CONTRIBUTIONS = Contributions(
    personal_data=PERSONAL_DATA,
    rate_limits=limits_in(limits),
    purges=[
        purge_expired_sessions,
        finish_erasures,
        purge_staff_sign_ins,
        purge_suspensions,
        purge_warnings,
        purge_outbox,
        purge_jobs,
        purge_waiting_pictures,
    ],
    retention_jobs=[purge_imports],
    import_kinds=[PEOPLE],
    staff_charts=[sign_ins_by_day, new_accounts_by_day],
    staff_permissions={
        "moderator": ["view_account", "view_profile"],
        "auditor": ["view_auditentry"],
        "operator": [
            "view_account",
            "view_auditentry",
            "view_servicesession",
            "view_staffmember",
            "delete_staffmember",
        ],
    },
)
