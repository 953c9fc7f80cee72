"""What this app does for the others: see `accounts.registry`."""

from accounts import limits
from accounts.contribution_types import Contributions
from accounts.data_map import PERSONAL_DATA
from accounts.purging import purge_contributors, purge_jobs
from accounts.services.ended_sessions import purge_ended_pairs, purge_expired_sessions
from accounts.services.erasure import finish_erasures
from accounts.services.kept_texts import purge_kept_texts
from accounts.services.pictures import purge_waiting_pictures
from accounts.services.profiles import take_back_refused_names
from accounts.services.repeated_erasures import purge_erasures
from accounts.services.suspension import purge_suspensions
from accounts.services.warnings import purge_warnings
from limits import limits_in

CONTRIBUTIONS = Contributions(
    personal_data=PERSONAL_DATA,
    rate_limits=limits_in(limits),
    purges=[
        purge_expired_sessions,
        finish_erasures,
        purge_erasures,
        purge_suspensions,
        purge_warnings,
        purge_ended_pairs,
        purge_jobs,
        purge_contributors,
        purge_waiting_pictures,
        purge_kept_texts,
    ],
    retention_jobs=[take_back_refused_names],
)
