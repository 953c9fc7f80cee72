"""Renewing the access token of a login with its refresh token, before it ends.

One process at a time renews a login, and what upstream has issued is saved before it is used. A
renewal that we make by ourselves changes nothing for the client: its record is still found by its
cookies, and by the token that it was given last.
"""

from contextlib import AbstractContextManager, suppress

from django.db import transaction
from django.utils import timezone

import store
from accounts import session_cache
from accounts.cookies import token_hash
from accounts.database import release_database_connection
from accounts.errors import NotSignedIn
from accounts.limits import PREVIOUS_PAIR_SECONDS, RENEW_AHEAD_SECONDS
from accounts.models import ServiceSession
from accounts.services.ended_sessions import end_record
from accounts.services.session_records import (
    begin_credentials,
    dialect_of,
    find_record_by_id,
    lock_record,
    set_grant,
)
from accounts.single_flight import best_effort_lock
from store import StoreUnavailable
from upstream.calls.login import refresh_token
from upstream.deadline import own_deadline
from upstream.errors import (
    GrantRefused,
    SessionDead,
    UpstreamInvalid,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from upstream.shared_client import client

# A refresh, or a renewal with what follows it: calls with a deadline of 8 s each, and saving.
LOCK_SECONDS = 20.0


def refresh_lock(record_id: str) -> AbstractContextManager[None]:
    """The lock of whoever uses a login's refresh token, over all processes."""
    return best_effort_lock(f"refresh:{record_id}", lease=LOCK_SECONDS, wait=LOCK_SECONDS)


def with_live_token(record: ServiceSession) -> ServiceSession:
    """The record with a token that lives for some time yet, renewed if that is needed.

    While upstream fails, a token is used to its end.

    Raises: SessionDead (nothing renews it; the login is ended), NotSignedIn (it was ended
    meanwhile), StoreUnavailable, UpstreamInvalid, UpstreamTimeout, UpstreamUnavailable.
    """
    if _lives(record):
        return record
    if not record.login_seconds_left(timezone.now()):
        raise SessionDead("the login has ended")
    if record.renews_until is None:
        return record
    release_database_connection()
    with refresh_lock(record.pk), own_deadline():
        current = find_record_by_id(record.pk)
        if current is None:
            raise NotSignedIn
        if not _lives(current):
            current = _renewed(current)
        return current


def _lives(record: ServiceSession) -> bool:
    return record.seconds_left(timezone.now()) > RENEW_AHEAD_SECONDS


def _renewed(record: ServiceSession) -> ServiceSession:
    try:
        record = rotated(record, given=False)
    except (UpstreamUnavailable, UpstreamTimeout, UpstreamInvalid, StoreUnavailable):
        if not record.seconds_left(timezone.now()):
            raise
    if not record.seconds_left(timezone.now()):
        end_record(record.pk, reason="expired")
        raise SessionDead("nothing renews the token")
    return record


def rotated(record: ServiceSession, *, given: bool) -> ServiceSession:
    """The record after its refresh token was used, if there is one; the new tokens are saved at
    once. `given`: the client gets the new token, by which its record is found from now on. Call it
    with the lock.

    Raises: SessionDead when upstream refuses the refresh token of a login through the school's own
    page, which is ended; NotSignedIn when the login was ended meanwhile; StoreUnavailable;
    upstream's errors.
    """
    used = record.refresh_token
    if used is None:
        return record
    release_database_connection()
    try:
        grant = refresh_token(
            client(),
            school=record.account.school,
            refresh_token=used,
            dialect=dialect_of(record),
        )
    except GrantRefused:
        return _refused(record, used)
    with transaction.atomic():
        record = lock_record(record.pk)
        replaced = record.token_hash
        set_grant(record, grant, given=given)
        _save(record, replaced)
    _forget_replaced(record, replaced)
    return record


def give_token(record_id: str) -> ServiceSession:
    """The record, found by its current token from now on, because the client gets that.

    Raises: NotSignedIn when the login was ended.
    """
    with transaction.atomic():
        record = lock_record(record_id)
        replaced = record.token_hash
        record.token_hash = token_hash(record.access_token)
        _save(record, replaced)
    _forget_replaced(record, replaced)
    return record


def _save(record: ServiceSession, replaced: str) -> None:
    if replaced != record.token_hash:
        # Before saving, so that a request with the previous token always finds its record.
        with suppress(StoreUnavailable):
            store.put(f"replaced-token:{replaced}", record.pk.encode(), PREVIOUS_PAIR_SECONDS)
    record.save(
        update_fields=[
            "access_token", "refresh_token", "token_expires_at", "token_hash", "renews_until",
        ]
    )  # fmt: skip
    if replaced != record.token_hash:
        begin_credentials(record.token_hash)


def _forget_replaced(record: ServiceSession, replaced: str) -> None:
    if replaced == record.token_hash:
        return
    # No record has the replaced token any more, so a logout could not end it. What is cached for
    # the cookies says when the replaced token ends.
    session_cache.replace_credential(replaced, record.token_hash)
    session_cache.check_again(record.pair_hash)


def _refused(record: ServiceSession, used: str) -> ServiceSession:
    """What is left of a login whose refresh token upstream refuses: it has expired, or was used by
    a process that died before saving."""
    if record.page_kind is not None:
        store.ping()  # without the store two can run at once: the other one may be about to save
    with transaction.atomic():
        record = lock_record(record.pk)
        if record.refresh_token != used:
            return record  # another process has saved a new one
        if record.page_kind is None:
            record.refresh_token = record.renews_until = None
            record.save(update_fields=["refresh_token", "renews_until"])
            return record
    end_record(record.pk, reason="expired")
    raise SessionDead("upstream refused the refresh token")
