"""Session records: found by keyed hashes, created at login, listed, and ended."""

from contextlib import suppress
from datetime import timedelta
from functools import partial

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts import child_sessions, session_cache
from accounts.addresses import network_of
from accounts.cookies import Credential, pair_hash, token_hash
from accounts.database import release_database_connection
from accounts.encryption import SecretUnreadable
from accounts.errors import SchoolUnknown, SessionUnknown, StoreUnavailable, TooManyRequests
from accounts.limits import MAX_SESSIONS, PREVIOUS_PAIR_SECONDS, UNKNOWN_COOKIES
from accounts.models import Account, ServiceSession
from accounts.models.service_sessions import SECRETS
from accounts.outbox import called_in_server
from accounts.rate_limits import spend
from accounts.services.schools import known_school
from accounts.signals import session_ended, signed_in_again
from accounts.stores import store
from upstream.calls.session import end_session
from upstream.errors import UpstreamError
from upstream.records import TokenGrant, WebSession
from upstream.shared_client import client

LAST_USED_STEP = timedelta(minutes=10)


def find_record(credential: Credential) -> ServiceSession | None:
    """The record of a credential, with its account, found by hash.

    For a minute also by the pair that a refresh has replaced, for requests that were on their way.
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
        record_id = store().get(f"replaced-token:{credential.hash}")
        if record_id is not None:
            return ServiceSession.objects.without_secrets().filter(pk=record_id.decode()).first()
    return None


@transaction.atomic
def create_record(
    *, account: Account, grant: TokenGrant, web: WebSession, device: str
) -> ServiceSession:
    """Create a record, and end the account's oldest ones beyond `MAX_SESSIONS`."""
    now = timezone.now()
    record = ServiceSession(account=account, device=device, last_used_at=now)
    record.set_secret("school", account.school)
    record.set_secret("upstream_user_id", str(account.upstream_user_id))
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
    session_cache.clear_ended(record.token_hash, record.pair_hash)
    extra = ServiceSession.objects.filter(account=account).order_by("-created_at", "-pk")
    for oldest in extra.defer(*SECRETS)[MAX_SESSIONS:]:
        transaction.on_commit(partial(end_record, oldest, reason="expired"), robust=True)
    return record


def set_grant(record: ServiceSession, grant: TokenGrant) -> None:
    """Set the tokens and their expiry; the caller saves."""
    expires_at = timezone.now() + timedelta(seconds=grant.expires_in)
    record.set_secret("access_token", grant.access_token)
    record.set_secret("token_expires_at", expires_at.isoformat())
    if grant.refresh_token is not None:
        record.set_secret("refresh_token", grant.refresh_token)
    record.token_hash = token_hash(grant.access_token)


def set_cookie_pair(record: ServiceSession, web: WebSession) -> None:
    """Set a new cookie pair; the previous one is valid for another minute. The caller saves."""
    fresh = pair_hash(web)
    if fresh == record.pair_hash:
        return
    record.previous_pair_hash = record.pair_hash
    record.previous_pair_until = timezone.now() + timedelta(seconds=PREVIOUS_PAIR_SECONDS)
    record.pair_hash = fresh


def end_record(record: ServiceSession, *, reason: str, web: WebSession | None = None) -> None:
    """End a session: its record, its cached session and school data, its sockets, and its sessions
    at upstream.

    `web` are the cookies if the caller has them, else the cached ones are used. Upstream is called
    last, and its errors are ignored: the person could not do anything about them.
    """
    hashes = [record.token_hash, record.pair_hash]
    if record.previous_pair_hash:  # upstream may accept it until its web session expires
        hashes.append(record.previous_pair_hash)
    cached = [each for each in map(session_cache.read, hashes) if each is not None]
    web = web or (cached[0].web if cached else None)
    account = record.account
    with transaction.atomic():
        for each in hashes:
            session_cache.end(each)
        child_sessions.drop_child_sessions(account.school, record.pk, for_good=True)
        ServiceSession.objects.filter(pk=record.pk).delete()
        drop_school_data(account.pk)
        send_session_ended(account.pk, record.pk, reason)
    if web is not None:
        end_web_session(account.school, web)


@called_in_server
def drop_school_data(account_id: int) -> None:
    """Drop the cached school data of an account, and what is known of a guardian's children."""
    with suppress(StoreUnavailable):
        store().drop_cached(f"account-{account_id}")
        store().delete(session_cache.children_key(account_id))


def send_session_ended(account_id: int, session_key: str, reason: str) -> None:
    """Send `session_ended`. An exception in a receiver is logged and not raised."""
    session_ended.send_robust(
        ServiceSession, account_id=account_id, session_key=session_key, reason=reason
    )


def end_web_session(school: str, web: WebSession, *, untrusted: bool = False) -> None:
    """End a web session at upstream; errors are ignored."""
    release_database_connection()
    with suppress(UpstreamError):
        end_session(client(), school=school, web=web, untrusted=untrusted)


def log_out(credential: Credential | None, *, address: str) -> None:
    """End the session of a credential, here and at upstream. Idempotent.

    `address` is the client's, for the limit on cookie pairs without a record.
    """
    if credential is None:
        return
    record = find_record_for_refresh(credential)
    if record is not None and credential.school in ("", record.account.school):
        end_record(record, reason="logout", web=credential.web)
        session_cache.end(credential.hash)  # it may be a pair or token that a refresh has replaced
    elif record is None and credential.web is not None:
        _log_out_unrecorded(credential, credential.web, address)


def _log_out_unrecorded(credential: Credential, web: WebSession, address: str) -> None:
    """End the session of a cookie pair without a record, if it is cached, and at upstream.

    A pair that is not cached counts against the limit of the client's network, so that logouts
    cannot be used to try out cookies or to fill the store.
    """
    with suppress(SchoolUnknown, TooManyRequests, UpstreamError):
        school = known_school(credential.school).slug
        cached = session_cache.read(credential.hash)
        if cached is None:
            spend(UNKNOWN_COOKIES, network_of(address))
        session_cache.end(credential.hash)
        if cached is not None:
            caller = cached.caller(credential)
            child_sessions.drop_child_sessions(school, caller.session_key, for_good=True)
            drop_school_data(cached.account_id)
            send_session_ended(cached.account_id, caller.session_key, "logout")
        end_web_session(school, web, untrusted=cached is None)


def sessions_of(account_id: int) -> QuerySet[ServiceSession]:
    """The account's logins, the last used one first; only their device and times."""
    records = ServiceSession.objects.filter(account_id=account_id).order_by("-last_used_at")
    return records.only("id", "device", "created_at", "last_used_at")


def end_one(*, account_id: int, session_id: str) -> None:
    """End one login. Raises `SessionUnknown` for an id that is not the account's."""
    record = _records(account_id).filter(pk=session_id).first()
    if record is None:
        raise SessionUnknown
    end_record(record, reason="logout")


def end_others(*, account_id: int, current: str | None) -> None:
    """End all logins of the account, except the `current` one."""
    for record in _records(account_id).exclude(pk=current or ""):
        end_record(record, reason="logout")


def record_use(record: ServiceSession) -> None:
    """Set when the login was last used, to ten minutes, which saves writes."""
    now = timezone.now()
    if record.last_used_at < now - LAST_USED_STEP:
        ServiceSession.objects.filter(pk=record.pk).update(last_used_at=now)


def records_with_live_token(account_id: int) -> list[ServiceSession]:
    """The account's logins whose token has not expired, the newest first."""
    now = timezone.now()
    live: list[ServiceSession] = []
    for record in _records(account_id).order_by("-created_at", "-pk"):
        with suppress(SecretUnreadable, ValueError):
            if record.seconds_left(now):
                live.append(record)
    return live


def _records(account_id: int) -> QuerySet[ServiceSession]:
    return ServiceSession.objects.without_secrets().filter(account_id=account_id)
