"""What this app does for the others: see `accounts.registry`."""

from functools import partial

from accounts.contribution_types import Contributions, RecurringJob, ShareCardKind
from accounts.notification_types import NotificationKind
from accounts.rate_limits import limits_in
from schoolproxy import limits
from schoolproxy.api.cards import GradeCardSerializer
from schoolproxy.data_map import PERSONAL_DATA
from schoolproxy.services.cards import build_grade_card
from schoolproxy.services.feeds import purge_old_weeks
from schoolproxy.services.watch import texts
from schoolproxy.services.watch.looks import look_at_the_school
from schoolproxy.services.watch.watches import purge_old_changes

CONTRIBUTIONS = Contributions(
    personal_data=PERSONAL_DATA,
    rate_limits=limits_in(limits),
    share_cards=[
        ShareCardKind(
            "grade", "assignmentId", build_grade_card, GradeCardSerializer, id_may_be_number=True
        )
    ],
    purges=[purge_old_weeks, purge_old_changes],
    notification_kinds=[
        NotificationKind(name="schedule", describe=partial(texts.describe, texts.schedule)),
        NotificationKind(name="assignment", describe=partial(texts.describe, texts.assignment)),
        NotificationKind(name="result", describe=partial(texts.describe, texts.result)),
        NotificationKind(name="news", describe=partial(texts.describe, texts.news)),
    ],
    recurring_jobs=[
        RecurringJob(name="look_at_the_school", seconds=10, run=look_at_the_school),
    ],
)
