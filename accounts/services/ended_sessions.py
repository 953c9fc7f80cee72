"""Ending sessions: by their owner, by staff, by an erasure, or because they have expired."""

from contextlib import suppress
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

import store
from accounts import child_sessions, session_cache
from accounts.addresses import network_of
from accounts.cookies import Credential
from accounts.database import release_database_connection
from accounts.encryption import SecretUnreadable
from accounts.errors import NotSignedIn, SchoolUnknown, SessionUnknown
from accounts.limits import MAX_SESSIONS, UNKNOWN_COOKIES, WEB_SESSION_KEPT_SECONDS
from accounts.models import EndedCookiePair, ServiceSession
from accounts.purging import Purged, purge_rows
from accounts.services.schools import known_school
from accounts.services.session_records import (
    end_unrecorded,
    find_record_to_end,
    lock_record,
    remember_ended,
)
from accounts.session_cache import unrecorded_key, unrecorded_of
from accounts.signals import session_ended
from limits import TooManyRequests, spend
from store import StoreUnavailable
from upstream.calls.session import end_session
from upstream.errors import UpstreamError
from upstream.records import WebSession
from upstream.shared_client import client

# Records that are read at once.
BATCH = 500


def end_record(record_id: str, *, reason: str, web: WebSession | None = None) -> None:
    """End a session: its record, its cached session and school data, its sockets, and its sessions
    at upstream. Does nothing when it has ended.

    The record is locked and read first: a refresh that runs at the same moment has saved its new
    cookies by then, and they end too, or finds no record when it wants to.

    `web` are the cookies if the caller has them, else the cached ones are used. Upstream is called
    last, and its errors are ignored: the person could not do anything about them.
    """
    with transaction.atomic():
        try:
            record = lock_record(record_id)
        except NotSignedIn:
            return
        pairs = [pair for pair in (record.pair_hash, record.previous_pair_hash) if pair]
        remember_ended(*pairs)
        record.delete()
    account = record.account
    hashes = [record.pair_hash, record.token_hash, *pairs[1:]]
    cached = [session for session in map(session_cache.read, hashes) if session is not None]
    session_cache.end(*hashes)
    child_sessions.drop_child_sessions(account.school, record_id)
    drop_school_data(account.pk)
    send_session_ended(account.pk, record_id, reason)
    webs = {session.web for session in cached} | ({web} if web else set())
    for ended in webs:
        end_web_session(account.school, ended)


def end_oldest_sessions(account_id: int) -> None:
    """End the account's oldest sessions beyond `MAX_SESSIONS`."""
    newest = ServiceSession.objects.filter(account_id=account_id).order_by("-created_at", "-pk")
    for record_id in newest.values_list("pk", flat=True)[MAX_SESSIONS:]:
        end_record(record_id, reason="expired")


def drop_school_data(account_id: int) -> None:
    """Drop the cached school data of an account, and a guardian's list of children."""
    with suppress(StoreUnavailable):
        store.drop(f"account-{account_id}")
        store.delete(child_sessions.list_key(account_id))


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


def log_out(credential: Credential | None, *, address: str, meant: str | None = None) -> bool:
    """End the session of a credential, here and at upstream. Idempotent. Returns whether the client
    may forget the credential: not if it is of another login than the one that is `meant`.

    With `meant`, the id of a login, that one is ended and no other: who signs out without a
    connection is signed out later, when somebody else may have signed in on the device.
    `address` is the client's, for the limit on cookie pairs without a record.
    """
    if credential is None:
        if meant is not None:
            end_record(meant, reason="logout")
        return True
    record = find_record_to_end(credential)
    session_key = record.pk if record else unrecorded_key(credential.hash)
    if meant is not None and meant != session_key:
        end_record(meant, reason="logout")
        return record is None and session_cache.read(credential.hash) is None
    if record is not None and credential.school in ("", record.account.school):
        end_record(record.pk, reason="logout", web=credential.web)
        # It may be a pair or token that a refresh has replaced.
        session_cache.end(credential.hash)
    elif record is None and credential.web is not None:
        _log_out_unrecorded(credential, credential.web, address)
    return True


def _log_out_unrecorded(credential: Credential, web: WebSession, address: str) -> None:
    """End the session of a cookie pair without a record, if it is cached, and at upstream.

    A pair that is not cached counts against the limit of the client's network, so that logouts
    cannot be used to try out cookies or to fill the store and the database.
    """
    with suppress(SchoolUnknown, TooManyRequests, UpstreamError):
        school = known_school(credential.school).slug
        if not _end_cached_unrecorded(credential.hash):
            spend(UNKNOWN_COOKIES, network_of(address))
            end_unrecorded(credential.hash)
            end_web_session(school, web, untrusted=True)


def _end_cached_unrecorded(credential_hash: str) -> bool:
    """End the session of a cookie pair without a record everywhere. Returns whether it was
    cached; otherwise nothing is known of it."""
    cached = session_cache.read(credential_hash)
    if cached is None:
        return False
    session_key = cached.session_id or unrecorded_key(credential_hash)
    end_unrecorded(credential_hash)
    child_sessions.drop_child_sessions(cached.school, session_key)
    drop_school_data(cached.account_id)
    send_session_ended(cached.account_id, session_key, "logout")
    end_web_session(cached.school, cached.web)
    return True


def end_one(*, account_id: int, session_id: str) -> None:
    """End one login. Raises `SessionUnknown` for an id that is not the account's."""
    if not ServiceSession.objects.filter(account_id=account_id, pk=session_id).exists():
        raise SessionUnknown
    end_record(session_id, reason="logout")


def end_others(*, account_id: int, current: str | None) -> None:
    """End all sessions of the account, with or without a record, except the one with the
    `current` session key."""
    others = ServiceSession.objects.filter(account_id=account_id).exclude(pk=current or "")
    for record_id in others.values_list("pk", flat=True):
        end_record(record_id, reason="logout")
    for credential_hash in unrecorded_of(account_id):
        session_key = unrecorded_key(credential_hash)
        if session_key != current and not _end_cached_unrecorded(credential_hash):
            end_unrecorded(credential_hash)
            send_session_ended(account_id, session_key, "logout")


def purge_expired_sessions(dry_run: bool = False) -> Purged:
    """End the sessions that have expired, and delete the hashes of cookie pairs that were
    replaced so long ago that upstream has forgotten them.

    The expiry is encrypted, so every record is read, in batches by primary key. A record that no
    key opens is kept and counted: its key may come back. Safe to run twice and at the same time.
    """
    purged = Purged(noun="sessions", done="ended")
    now = timezone.now()
    after = ""
    while batch := list(
        ServiceSession.objects.without_secrets().filter(pk__gt=after).order_by("pk")[:BATCH]
    ):
        after = batch[-1].pk
        for record in batch:
            purged.seen += 1
            try:
                expired = not record.login_seconds_left(now)
            except (SecretUnreadable, ValueError):
                purged.unreadable += 1
                continue
            purged.expired += expired
            if expired and not dry_run:
                end_record(record.pk, reason="expired")
    if not dry_run:
        forgotten = now - timedelta(seconds=WEB_SESSION_KEPT_SECONDS)
        ServiceSession.objects.filter(previous_pair_until__lt=forgotten).update(
            previous_pair_hash=None, previous_pair_until=None
        )
    return purged


def purge_ended_pairs(dry_run: bool = False) -> Purged:
    """Forget the ended cookie pairs that upstream has forgotten, too."""
    old = EndedCookiePair.objects.filter(until__lt=timezone.now())
    return purge_rows(old, "ended cookie pairs", dry_run=dry_run)
