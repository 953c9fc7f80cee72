"""Looking at the school: for whom next, within the budget, and what follows from the answers."""

import logging
import time
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.callers import Caller
from accounts.database import release_database_connection
from accounts.errors import (
    AccountSuspended,
    ChildRequired,
    ChildUnknown,
    NotSignedIn,
    SessionMismatch,
)
from accounts.models import ServiceSession
from accounts.services.children import ChildList
from accounts.services.identity import with_account_session
from notifications.services.notify import notify
from schoolproxy import limits
from schoolproxy.models import Watch
from schoolproxy.models.watch import OK, SIGN_IN_AGAIN, WAITING
from schoolproxy.proven_sessions import call_with_proven_session
from schoolproxy.services.children import known_children
from schoolproxy.services.watch.budget import Reservation, reserve
from schoolproxy.services.watch.questions import Plan, fetch_answers, plan_look
from schoolproxy.services.watch.record import Observation, record, wanted_kinds
from schoolproxy.services.watch.state import WatchState
from schoolproxy.services.watch.times import in_watch_hours, next_opening
from stats import counters
from store import StoreUnavailable
from upstream.deadline import TOTAL_SECONDS, deadline_scope
from upstream.errors import CircuitOpen, QuotaSpent, UpstreamChanged, UpstreamError
from upstream.records import ChosenChild
from upstream.request_quota import quota_scope
from upstream.shared_client import client

logger = logging.getLogger(__name__)
# One run ends soon after this time.
_RUN_SECONDS = 20


def look_at_the_school() -> None:
    """Make the looks that are due, as far as the budget allows. Safe to run several at once."""
    started = time.monotonic()
    resume_after_sign_in()
    while in_watch_hours(timezone.now()) and time.monotonic() - started < _RUN_SECONDS:
        if not _look_for_next():
            return


def looks_are_due() -> bool:
    """Whether a look is due now. After `look_at_the_school` this means that the budget is spent."""
    now = timezone.now()
    return in_watch_hours(now) and _due(now).exists()


def resume_after_sign_in() -> None:
    """Watch again for accounts that have signed in since their last login ended."""
    signed_in = ServiceSession.objects.filter(
        account=OuterRef("account"), created_at__gt=OuterRef("next_look_at")
    )
    waiting = Watch.objects.filter(Exists(signed_in), status=SIGN_IN_AGAIN)
    waiting.update(status=OK, next_look_at=timezone.now(), claimed_until=None)


def _look_for_next() -> bool:
    """Make the next look; False if none is due, or the budget is spent."""
    now = timezone.now()
    due = _due(now).select_related("account")
    watch = due.order_by("-confirms", "next_look_at", "pk").first()
    if watch is None:
        return False
    try:
        breaker = client().guards.of(watch.account.school).breaker
        breaker.check(watch.account.person_hash)
    except CircuitOpen:
        _postpone(watch, WAITING, limits.WATCH_RETRY_SECONDS)
        return True
    plan = _plan(watch)
    if not plan.requests:  # the school has switched off all that is wanted
        _postpone(watch, OK, limits.WATCH_MENU_SECONDS)
        return True
    reservation = reserve(_cost(watch, plan))
    if reservation is None:
        return False
    try:
        if _claim(watch, now):
            _look(watch, plan, reservation)
    finally:
        reservation.give_back()
    return True


def _due(now: datetime) -> QuerySet[Watch]:
    """The watches whose look is due, and that no worker has claimed."""
    unclaimed = Q(claimed_until=None) | Q(claimed_until__lte=now)
    return Watch.objects.filter(unclaimed, status__in=(OK, WAITING), next_look_at__lte=now)


def _plan(watch: Watch) -> Plan:
    kinds = wanted_kinds(watch.account_id)
    state = WatchState.from_json(watch.read_state())
    regular = not watch.confirms
    return plan_look(state, kinds, timezone.now(), regular=regular)


def _cost(watch: Watch, plan: Plan) -> int:
    """The requests that a look may need. What it does not use is given back."""
    about_self = watch.child_id == 0
    session = limits.WATCH_SESSION_REQUESTS if about_self else limits.WATCH_CHILD_REQUESTS
    return session + plan.requests


def _claim(watch: Watch, now: datetime) -> bool:
    """Whether this worker makes the look: of several that try, one succeeds."""
    seconds = limits.WATCH_LOOK_SECONDS + 2 * TOTAL_SECONDS
    unchanged = Watch.objects.filter(
        pk=watch.pk, version=watch.version, claimed_until=watch.claimed_until
    )
    return bool(unchanged.update(claimed_until=now + timedelta(seconds=seconds)))


def _look(watch: Watch, plan: Plan, reservation: Reservation) -> None:
    ends = time.monotonic() + limits.WATCH_LOOK_SECONDS
    try:
        with quota_scope(reservation.take), deadline_scope(ends):
            observed = _observe(watch, plan)
    except NotSignedIn:
        sign_in_again(watch)
    except (AccountSuspended, SessionMismatch):
        _postpone(watch, OK, limits.WATCH_CHILDREN_SECONDS)
    except (ChildRequired, ChildUnknown):
        Watch.objects.filter(pk=watch.pk).delete()
    except QuotaSpent:
        _postpone(watch, watch.status, limits.WATCH_RETRY_SECONDS)
    except (UpstreamError, StoreUnavailable):
        _postpone(watch, WAITING, limits.WATCH_RETRY_SECONDS)
    else:
        _store(watch, observed)
        counters.count("school_look", account=watch.account_id)


def _observe(watch: Watch, plan: Plan) -> Observation | ChildList:
    """The answers of upstream, with a login of the account; for a guardian's own row, the children.

    Raises: NotSignedIn only when upstream refuses the logins themselves. A login page in place of
    the lessons, for a login that upstream accepts, is a failure of upstream.
    """
    try:
        return with_account_session(watch.account_id, partial(_observe_as, watch, plan))
    except NotSignedIn:
        with_account_session(watch.account_id, lambda _caller: None)
        raise UpstreamChanged("upstream accepts the login, and shows a login page") from None


def _observe_as(watch: Watch, plan: Plan, caller: Caller) -> Observation | ChildList:
    release_database_connection()
    child: ChosenChild | None = None
    if caller.role == "guardian":
        children = known_children(caller)
        if watch.child_id == 0:
            return children
        child = children.choose(watch.child_id, watch.org_id)
    elif watch.child_id:
        raise ChildUnknown
    with client().request_scope(caller.school, person=caller.person_hash):
        answers, unavailable = call_with_proven_session(caller, child, partial(fetch_answers, plan))
    return Observation(
        answers=answers,
        unavailable=unavailable,
        asked_menu=plan.asks_menu,
        session_id=caller.session_key,
        child_name=child.name if child else "",
        regular=plan.regular,
    )


def _store(watch: Watch, observed: Observation | ChildList) -> None:
    if isinstance(observed, Observation):
        record(watch.pk, observed)
        return
    watch_children(watch.account_id, observed)
    _postpone(watch, OK, limits.WATCH_CHILDREN_SECONDS)


def watch_children(account_id: int, children: ChildList) -> None:
    """Watch all of a guardian's children, and no others."""
    rows = [
        Watch(account_id=account_id, child_id=child.id, org_id=school.org_id if school else None)
        for child in children.children
        for school in [next(iter(child.schools), None)]
    ]
    Watch.objects.bulk_create(rows, ignore_conflicts=True)
    gone = Watch.objects.filter(account_id=account_id).exclude(child_id=0)
    gone.exclude(child_id__in=children.ids).delete()


def _postpone(watch: Watch, status: str, seconds: float) -> None:
    """Look later, still to confirm what this look was to confirm."""
    at = next_opening(timezone.now() + timedelta(seconds=seconds))
    changed: dict[str, Any] = {"status": status, "next_look_at": at, "claimed_until": None}
    Watch.objects.filter(pk=watch.pk).exclude(status=SIGN_IN_AGAIN).update(**changed)


@transaction.atomic
def sign_in_again(watch: Watch) -> None:
    """The last login has ended: forget what was seen, and notify the person once."""
    watches = Watch.objects.filter(account_id=watch.account_id).exclude(status=SIGN_IN_AGAIN)
    now = timezone.now()
    if watches.update(
        status=SIGN_IN_AGAIN,
        state=None,
        version=F("version") + 1,
        next_look_at=now,
        confirms=False,
        claimed_until=None,
    ):
        about = f"session:{watch.session_id or watch.pk}"[:64]
        notify(watch.account_id, "account", about=about, details={"event": "sign_in_again"})
