"""What this app does for the others: see `accounts.registry`."""

from accounts.contribution_types import Contributions, ShareCardKind
from limits import limits_in
from schoolproxy import limits
from schoolproxy.api.cards import GradeCardSerializer
from schoolproxy.data_map import PERSONAL_DATA
from schoolproxy.services.cards import build_grade_card
from schoolproxy.services.done import purge_old_done
from schoolproxy.services.feeds import purge_old_weeks
from schoolproxy.services.watch import texts
from schoolproxy.services.watch.watches import purge_old_changes

CONTRIBUTIONS = Contributions(
    personal_data=PERSONAL_DATA,
    rate_limits=limits_in(limits),
    share_cards=[
        ShareCardKind(
            "grade", "assignmentId", build_grade_card, GradeCardSerializer, id_may_be_number=True
        )
    ],
    purges=[purge_old_weeks, purge_old_changes, purge_old_done],
    notification_kinds=texts.KINDS,
)
