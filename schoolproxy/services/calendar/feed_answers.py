"""What a feed asks upstream, with its owner's login."""

from functools import partial

from django.utils import timezone

from accounts.callers import Caller
from accounts.database import release_database_connection
from accounts.errors import ChildUnknown
from accounts.services.children import ChildList
from schoolproxy.models import ChildCalendarFeed
from schoolproxy.models.feeds import Feed
from schoolproxy.proven_sessions import call_with_proven_session
from schoolproxy.services.calendar.dated import Answers, fetch_dated
from schoolproxy.services.calendar.history import Week
from schoolproxy.services.calendar.weeks import fetch_weeks
from schoolproxy.services.children import known_children
from schoolproxy.services.schedule import Lesson
from upstream.errors import UpstreamError
from upstream.fan_out import REFUSED
from upstream.records import ChosenChild, ProvenSession
from upstream.shared_client import client


def ask_for(
    feed: Feed, weeks: list[Week], caller: Caller
) -> tuple[list[list[Lesson]], Answers, str]:
    """What upstream says of these weeks, and of what else is included, and the name of the child
    (empty for other roles)."""
    release_database_connection()
    with client().request_scope(caller.school, person=caller.person_hash):
        child = _child_of(feed, caller)
        fetch = partial(_fetch_all, feed=feed, weeks=weeks, role=caller.role)
        answers, dated = call_with_proven_session(caller, child, fetch)
    return answers, dated, child.name if child else ""


def _fetch_all(
    web: ProvenSession, *, feed: Feed, weeks: list[Week], role: str
) -> tuple[list[list[Lesson]], Answers]:
    """Raises: the first failure of a week, and that of everything else if there are no lessons."""
    included = feed.included
    numbers = [week for _year, week in weeks] if "lessons" in included else []
    answers = fetch_weeks(web, numbers)
    # Nobody has seen what else a teacher has.
    wanted = () if role == "teacher" else included
    dated = fetch_dated(web, wanted, timezone.localdate())
    errors = [answer for answer in dated.values() if isinstance(answer, UpstreamError)]
    failures = [error for error in errors if not isinstance(error, REFUSED)]
    if failures and not numbers and len(failures) == len(dated):
        raise failures[0]
    return answers or [[] for _ in weeks], dated


def _child_of(feed: Feed, caller: Caller) -> ChosenChild | None:
    """Raises: ChildUnknown, ChildRequired (a guardian's feed of a version that named no child, and
    there are several: it must not follow a default that changes)."""
    if caller.role != "guardian":
        if isinstance(feed, ChildCalendarFeed):
            raise ChildUnknown
        return None
    known = known_children(caller)
    if isinstance(feed, ChildCalendarFeed):
        return known.choose(feed.child_id, feed.org_id)
    return ChildList(known.fetched_at, None, known.children).choose(None, None)
