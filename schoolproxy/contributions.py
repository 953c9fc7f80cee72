"""What this app does for the others: see `accounts.registry`."""

from accounts.registry import Contributions, ShareCardKind
from schoolproxy.data_map import PERSONAL_DATA
from schoolproxy.services.cards import build_grade_card
from schoolproxy.services.feeds import purge_old_weeks

CONTRIBUTIONS = Contributions(
    personal_data=PERSONAL_DATA,
    share_cards=[
        ShareCardKind("grade", "assignmentId", build_grade_card, id_may_be_number=True),
    ],
    purges=[purge_old_weeks],
)
