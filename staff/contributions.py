"""What this app does for the others: see `accounts.registry`."""

from accounts.contribution_types import Contributions
from accounts.personal_data import PersonalData, Table
from staff.charts import new_accounts_by_day, sign_ins_by_day
from staff.sessions import purge_staff_sign_ins

# Members of staff and their second factors are not of the school's people: docs/privacy.md.
AUDIT_LOG = Table(
    model="accounts.AuditEntry",
    purpose="what staff and operators looked at and did, and to whom",
    retention="AUDIT_MONTHS",
    erasure="stays, with the public name as it was: otherwise an erasure would hide an abuse",
    withheld={
        "account_name": "would tell a person that staff look into a report",
        "target": "the same; what was searched for",
        "reason": "the same",
        "case_id": "the same",
        "search_key": "these texts again, in the form that search compares",
    },
    technical=[
        "id",
        "at",
        "staff",
        "staff_name",
        "command",
        "system_user",
        "action",
        "account_id",
        "address",
    ],
)

CONTRIBUTIONS = Contributions(
    personal_data=PersonalData([AUDIT_LOG]),
    purges=[purge_staff_sign_ins],
    staff_charts=[sign_ins_by_day, new_accounts_by_day],
    staff_permissions={
        "moderator": ["accounts.view_account", "accounts.view_profile"],
        "auditor": ["accounts.view_auditentry"],
        "operator": [
            "accounts.view_account",
            "accounts.view_auditentry",
            "accounts.view_servicesession",
            "accounts.view_staffmember",
            "accounts.delete_staffmember",
        ],
    },
)
