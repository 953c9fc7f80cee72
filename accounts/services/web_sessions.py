"""The web session of a login's record: made from its token, described by upstream, and cached."""

from dataclasses import replace

from django.utils import timezone

from accounts import session_cache
from accounts.database import release_database_connection
from accounts.errors import NotSignedIn, SessionMismatch
from accounts.models import ServiceSession
from accounts.services.accounts import keep_organization, keep_role
from accounts.services.ended_sessions import end_web_session
from accounts.services.schools import organizations_of
from accounts.services.session_answers import fetch_session_answer
from accounts.services.session_records import dialect_of, require_record
from accounts.session_cache import CachedSession
from upstream.calls.web_sessions import translate_token
from upstream.errors import SessionDead, UpstreamInvalid
from upstream.records import WebSession
from upstream.shared_client import client


def keep_session(session: CachedSession, *credential_hashes: str) -> None:
    """Cache a session that upstream has just described.

    Raises: NotSignedIn when its login was ended meanwhile. `end_record` ends the web sessions that
    are cached: this one was not yet, perhaps, so it is ended here.
    """
    session_cache.remember(session, *credential_hashes)
    if session.session_id is None:
        return
    try:
        require_record(session.session_id)
    except NotSignedIn:
        session_cache.forget(*credential_hashes)
        end_web_session(session.school, session.web)
        raise


def translate_record(record: ServiceSession) -> CachedSession:
    """A new web session from a record's token, checked to be of the same person.

    Raises: SessionDead when the token has expired, SessionMismatch, upstream's errors.
    """
    if not record.seconds_left(timezone.now()):
        raise SessionDead
    release_database_connection()
    web = translate_token(
        client(),
        school=record.account.school,
        access_token=record.access_token,
        user_id=record.account.upstream_user_id,
        org_ids=organizations_of(record.account.school, last=record.account.organization_id),
        dialect=dialect_of(record),
    )
    try:
        return describe_session(record, web, None)
    except SessionDead:
        raise UpstreamInvalid("upstream refused the web session that it had just made") from None


def describe_session(
    record: ServiceSession, web: WebSession, cached: CachedSession | None
) -> CachedSession:
    """The session of a record with these web cookies, if upstream says that it is the person's."""
    account, dialect = record.account, dialect_of(record)
    answer = fetch_session_answer(
        school=account.school, web=web, accepted=account.organization_id, dialect=dialect
    )
    if answer.user_id != account.upstream_user_id:
        raise SessionMismatch
    keep_organization(account, answer)
    keep_role(account, answer)
    session = CachedSession.of_record(record, web, answer)
    if cached and cached.web == web:
        session = replace(session, web_since=cached.web_since)
    return session
