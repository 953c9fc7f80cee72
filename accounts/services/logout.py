"""Logging out: always works, whatever the caller shows."""

from contextlib import suppress

from accounts import session_cache
from accounts.cookies import Credential
from accounts.errors import SchoolUnknown, TooManyRequests
from accounts.limits import network_of, spend
from accounts.services.schools import known_school
from accounts.services.session_records import (
    announce_end,
    drop_cached,
    end_record,
    end_upstream,
    find_record_for_refresh,
)
from upstream.errors import UpstreamError
from upstream.records import WebSession


def log_out(credential: Credential | None, *, address: str) -> None:
    """End the session behind a credential, ours and upstream's. Idempotent.

    `address` is the client's, for the limit on strangers.
    """
    if credential is None:
        return
    record = find_record_for_refresh(credential)
    if record is not None and credential.school in ("", record.account.school):
        end_record(record, reason="logout", web=credential.web)
        session_cache.end(credential.hash)  # where a refresh has replaced what the caller shows
    elif record is None and credential.web is not None:
        _log_out_stranger(credential, credential.web, address)


def _log_out_stranger(credential: Credential, web: WebSession, address: str) -> None:
    """A cookie pair that no record knows: forget what we remember, and tell upstream.

    Where we remember nothing either, that costs a guess: this is no free way to upstream, nor
    into the store.
    """
    with suppress(SchoolUnknown, TooManyRequests, UpstreamError):
        school = known_school(credential.school).slug
        entry = session_cache.read(credential.hash)
        if entry is None:
            spend("login_address", network_of(address))
        session_cache.end(credential.hash)
        if entry is not None:
            caller = entry.caller(credential)
            drop_cached(entry.account_id, caller.credential_hash)
            announce_end(entry.account_id, caller.session_key, "logout")
        end_upstream(school, web, stranger=entry is None)
