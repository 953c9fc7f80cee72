"""What the database knows of logins: their records, found by keyed hashes, and the cookie pairs
that were ended. How a login ends is in `ended_sessions`."""

from contextlib import suppress
from datetime import timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

import store
from accounts import session_cache
from accounts.cookies import Credential, pair_hash, token_hash
from accounts.encryption import SecretUnreadable
from accounts.errors import NotSignedIn
from accounts.limits import PREVIOUS_PAIR_SECONDS, RENEWED_SECONDS, WEB_SESSION_KEPT_SECONDS
from accounts.models import Account, EndedCookiePair, ServiceSession
from accounts.signals import signed_in_again
from store import StoreUnavailable
from upstream.dialects import PAGE_DIALECTS, Dialect
from upstream.records import PageKind, TokenGrant, WebSession
from upstream.shared_client import client

LAST_USED_STEP = timedelta(minutes=10)


def find_record(credential: Credential) -> ServiceSession | None:
    """The record of a credential, with its account, found by hash.

    For a minute also by the pair that a refresh has replaced, for requests that were on their way.
    Then that pair counts as ended.
    """
    records = ServiceSession.objects.without_secrets()
    if credential.via == "bearer":
        return records.filter(token_hash=credential.hash).first()
    return (
        records.filter(pair_hash=credential.hash).first()
        or records.filter(
            previous_pair_hash=credential.hash, previous_pair_until__gt=timezone.now()
        ).first()
    )


def find_record_by_id(record_id: str | None) -> ServiceSession | None:
    """The current record, with its account and secrets; None when it was ended."""
    return ServiceSession.objects.select_related("account").filter(pk=record_id).first()


def find_record_for_refresh(credential: Credential) -> ServiceSession | None:
    """As `find_record`, and for a minute also by the token that a refresh has replaced."""
    record = find_record(credential)
    if record is not None or credential.via == "cookie":
        return record
    with suppress(StoreUnavailable):
        record_id = store.get(f"replaced-token:{credential.hash}")
        if record_id is not None:
            return ServiceSession.objects.without_secrets().filter(pk=record_id.decode()).first()
    return None


def find_record_to_end(credential: Credential) -> ServiceSession | None:
    """As `find_record_for_refresh`, and also by the pair that was replaced longer ago: the client
    did not hear of the refresh, and its login shall end."""
    return (
        find_record_for_refresh(credential)
        or ServiceSession.objects.without_secrets()
        .filter(previous_pair_hash=credential.hash)
        .first()
    )


@transaction.atomic
def create_record(
    *,
    account: Account,
    grant: TokenGrant,
    web: WebSession,
    device: str,
    page_kind: PageKind | None = None,
) -> ServiceSession:
    """Create the record of a login; `page_kind` of one through the school's own page."""
    now = timezone.now()
    record = ServiceSession(account=account, device=device, last_used_at=now, page_kind=page_kind)
    record.school = account.school
    record.upstream_user_id = str(account.upstream_user_id)
    set_grant(record, grant)
    record.pair_hash = pair_hash(web)
    ServiceSession.objects.filter(
        Q(token_hash=record.token_hash) | Q(pair_hash=record.pair_hash)
    ).delete()  # upstream may issue the same token or cookies again; hashes are unique
    others = ServiceSession.objects.filter(account=account).exists()
    record.save()
    if others:
        signed_in_again.send_robust(
            ServiceSession, account_id=account.pk, session_key=record.pk, device=device
        )
    begin_credentials(record.token_hash, record.pair_hash)
    return record


def lock_record(record_id: str) -> ServiceSession:
    """The record as it is now, locked until the transaction ends, with its account and secrets.

    Raises: NotSignedIn when it was ended.
    """
    rows = ServiceSession.objects.select_for_update(of=("self",), no_key=True)
    record = rows.select_related("account").filter(pk=record_id).first()
    if record is None:
        raise NotSignedIn
    return record


def require_record(record_id: str) -> None:
    """Raises: NotSignedIn when the record was ended."""
    if not ServiceSession.objects.filter(pk=record_id).exists():
        raise NotSignedIn


def set_grant(record: ServiceSession, grant: TokenGrant, *, given: bool = True) -> None:
    """Set the tokens and how long they last; the caller saves. `given`: the client gets the token,
    by which its record is found from now on."""
    now = timezone.now()
    record.access_token = grant.access_token
    record.token_expires_at = (now + timedelta(seconds=grant.expires_in)).isoformat()
    if grant.refresh_token is not None:
        record.refresh_token = grant.refresh_token
    if record.refresh_token is not None:
        record.renews_until = now + timedelta(seconds=RENEWED_SECONDS)
    if given:
        record.token_hash = token_hash(grant.access_token)


def dialect_of(record: ServiceSession) -> Dialect:
    """The dialect in which the person of this record has signed in."""
    if record.page_kind in PAGE_DIALECTS:
        return PAGE_DIALECTS[record.page_kind]
    return client().dialect(record.account.school)


def dialect_of_session(school: str, session_id: str | None) -> Dialect:
    """As `dialect_of`, for the id of a record; None: a cookie pair without one."""
    record = ServiceSession.objects.without_secrets().filter(pk=session_id).first()
    return dialect_of(record) if record else client().dialect(school)


def set_cookie_pair(record: ServiceSession, web: WebSession) -> None:
    """Set a new cookie pair; the previous one is valid for another minute. The caller saves."""
    fresh = pair_hash(web)
    if fresh == record.pair_hash:
        return
    record.previous_pair_hash = record.pair_hash
    record.previous_pair_until = timezone.now() + timedelta(seconds=PREVIOUS_PAIR_SECONDS)
    record.pair_hash = fresh


def sessions_of(account_id: int) -> QuerySet[ServiceSession]:
    """The account's logins, the last used one first; only their device and times."""
    records = ServiceSession.objects.filter(account_id=account_id).order_by("-last_used_at")
    return records.only("id", "device", "created_at", "last_used_at")


def record_use(record: ServiceSession) -> None:
    """Set when the login was last used, to ten minutes, which saves writes."""
    now = timezone.now()
    if record.last_used_at < now - LAST_USED_STEP:
        ServiceSession.objects.filter(pk=record.pk).update(last_used_at=now)


def records_with_live_token(account_id: int) -> list[ServiceSession]:
    """The account's logins that have not ended, the newest first."""
    now = timezone.now()
    live: list[ServiceSession] = []
    for record in _records(account_id).order_by("-created_at", "-pk"):
        with suppress(SecretUnreadable, ValueError):
            if record.login_seconds_left(now):
                live.append(record)
    return live


def _records(account_id: int) -> QuerySet[ServiceSession]:
    return ServiceSession.objects.without_secrets().filter(account_id=account_id)


def remember_ended(*pair_hashes: str) -> None:
    """Remember that these cookie pairs were ended, for as long as upstream may accept them: they
    are refused also when the store has forgotten it."""
    until = timezone.now() + timedelta(seconds=WEB_SESSION_KEPT_SECONDS)
    rows = [EndedCookiePair(pk=pair_hash, until=until) for pair_hash in pair_hashes]
    EndedCookiePair.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["pair_hash"], update_fields=["until"]
    )


def was_ended(credential_hash: str) -> bool:
    """Whether this cookie pair was ended. An ended token is known by having no record."""
    return EndedCookiePair.objects.filter(pk=credential_hash).exists()


def begin_credentials(*credential_hashes: str) -> None:
    """Upstream has just issued these credentials: forget that they were ended before. In the
    transaction that saves them, so that whoever ends them afterwards has the last word."""
    EndedCookiePair.objects.filter(pk__in=credential_hashes).delete()
    session_cache.begin(*credential_hashes)


def end_unrecorded(credential_hash: str) -> None:
    """End the session of a credential without a record: of a cookie pair that we did not make, or
    of an account that was erased."""
    remember_ended(credential_hash)
    session_cache.end(credential_hash)
