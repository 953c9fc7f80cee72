"""Push subscriptions: where the browsers and apps of a login receive pushes."""

from datetime import timedelta
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from accounts.callers import Caller
from accounts.encryption import keyed_hash
from accounts.errors import NotFound, NothingToRefresh, TooManyKept
from accounts.models import Account, ServiceSession
from accounts.purging import Purged
from accounts.services.people import person_hash_of
from accounts.services.session_records import lock_record
from jobs.queue import enqueue_all
from limits import spend
from notifications.limits import MAX_SUBSCRIPTIONS, PUSH_SUBSCRIPTIONS, PUSH_TESTS
from notifications.models import PushSubscription
from notifications.models.subscriptions import BrowserSubscription
from notifications.push.endpoints import read_endpoint
from notifications.push.vapid import public_key
from notifications.services.deliveries import push_goodbye, push_test
from notifications.services.notify import notify
from notifications.services.settings import keep_language

# A push that says that a login has ended waits for the end of quiet hours, and is tried for a day.
GOODBYE_TIME = timedelta(days=2)
FAILING_TIME = timedelta(days=7)
# Days within this time on which one has to fail, so that it is taken for one that is gone.
FAILING_DAYS = 3
GONE_KEPT = timedelta(days=30)


def list_subscriptions(account_id: int) -> QuerySet[PushSubscription]:
    return _of(account_id).order_by("created_at", "pk")


def list_ended(account_id: int) -> QuerySet[PushSubscription]:
    """Those that their push service has ended, or that could not be reached, in the last 30 days:
    until the same login subscribes again, or ends."""
    ended = PushSubscription.objects.filter(
        account_id=account_id, gone_at__gt=timezone.now() - GONE_KEPT
    )
    return ended.order_by("gone_at", "pk")


def subscribe(
    caller: Caller, browser: BrowserSubscription, *, device: str | None, label: str
) -> tuple[PushSubscription, bool]:
    """Keep a subscription for the caller's login. Returns it, and whether it is new.

    `device` is its name: without one, a new one is called by the `label`, and one that is kept
    already as before.

    One that another account had moves to the caller: the browser has another user now. Raises:
    PushOff, PushEndpointRefused, NothingToRefresh (no record knows the caller's cookies, so nothing
    would end the subscription), TooManyKept, TooManyRequests.
    """
    public_key()
    endpoint = read_endpoint(browser.endpoint)
    if caller.session_id is None:
        raise NothingToRefresh
    spend(PUSH_SUBSCRIPTIONS, caller.person_hash)
    try:
        return _keep(caller, browser, endpoint.host, device, label)
    except IntegrityError:  # two accounts at once: it stays with the one that came last
        return _keep(caller, browser, endpoint.host, device, label)


@transaction.atomic
def _keep(
    caller: Caller, browser: BrowserSubscription, host: str, device: str | None, label: str
) -> tuple[PushSubscription, bool]:
    """Raises: NotSignedIn (the login has ended meanwhile), TooManyKept."""
    Account.objects.select_for_update(no_key=True).get(pk=caller.account_id)
    lock_record(caller.session_key)
    endpoint_hash = keyed_hash("push endpoint", browser.endpoint)
    same = PushSubscription.objects.filter(endpoint_hash=endpoint_hash)
    own = same.filter(account_id=caller.account_id).first()
    same.exclude(account_id=caller.account_id).delete()
    if own is None and _of(caller.account_id).count() >= MAX_SUBSCRIPTIONS:
        raise TooManyKept
    subscription = own or PushSubscription(
        account_id=caller.account_id, endpoint_hash=endpoint_hash
    )
    subscription.session_key, subscription.host = caller.session_key, host
    subscription.device = device or subscription.device or label
    subscription.ends_since = None
    for name, value in PushSubscription.NO_FAILURES.items():
        setattr(subscription, name, value)
    subscription.set_browser(browser)
    subscription.save()
    PushSubscription.objects.filter(session_key=caller.session_key).exclude(gone_at=None).delete()
    keep_language(caller.account_id)
    return subscription, own is None


def unsubscribe(account_id: int, subscription_id: UUID) -> None:
    """Raises: NotFound."""
    if not _of(account_id).filter(pk=subscription_id).delete()[0]:
        raise NotFound


def send_test(account_id: int, subscription_id: UUID) -> None:
    """Have a worker push a test to one subscription. Raises: NotFound, TooManyRequests."""
    if not _of(account_id).filter(pk=subscription_id).exists():
        raise NotFound
    spend(PUSH_TESTS, person_hash_of(account_id))
    push_test.enqueue(subscription_id.hex)


def end_subscriptions(account_id: int, session_key: str, *, expired: bool) -> None:
    """End the subscriptions of a login: at once, or if it expired after one push that says so."""
    ending = PushSubscription.objects.filter(account_id=account_id, session_key=session_key)
    if not expired:
        ending.delete()
        return
    ended = list(ending.filter(ends_since=None).values_list("pk", flat=True))
    ending.filter(pk__in=ended).update(ends_since=timezone.now())
    enqueue_all(push_goodbye, [(pk.hex,) for pk in ended])
    if ended:
        details = {"event": "sign_in_again"}
        notify(account_id, "account", about=f"session:{session_key}", details=details)


def end_all_subscriptions(account_id: int) -> None:
    PushSubscription.objects.filter(account_id=account_id).delete()


def purge_subscriptions(dry_run: bool = False) -> Purged:
    """Delete the subscriptions whose login is gone, except those that still have to say so. End
    those that have failed again and again for a week; of these, the person is told."""
    now = timezone.now()
    subscriptions = PushSubscription.objects.all()
    purged = Purged(noun="push subscriptions", done="deleted", seen=subscriptions.count())
    orphans = subscriptions.exclude(session_key__in=ServiceSession.objects.values("pk"))
    no_goodbye = Q(ends_since=None) | Q(ends_since__lt=now - GOODBYE_TIME)
    failing = subscriptions.filter(
        failures__gte=FAILING_DAYS, failed_at__gte=F("failing_since") + FAILING_TIME, gone_at=None
    )
    forgotten = subscriptions.filter(gone_at__lte=now - GONE_KEPT)
    if dry_run:
        purged.expired = (orphans.filter(no_goodbye) | failing | forgotten).distinct().count()
    else:
        purged.expired = orphans.filter(no_goodbye).delete()[0] + forgotten.delete()[0]
        purged.expired += sum(
            _stop(subscription) for subscription in failing.filter(ends_since=None)
        )
    return purged


@transaction.atomic
def _stop(subscription: PushSubscription) -> bool:
    """End one that fails. Of two at once, one tells the person."""
    if not subscription.end():
        return False
    details = {"event": "push_stopped", "device": subscription.device}
    notify(subscription.account_id, "account", details=details)
    return True


def _of(account_id: int) -> QuerySet[PushSubscription]:
    """Where the account receives pushes."""
    return PushSubscription.objects.filter(account_id=account_id, gone_at=None)
