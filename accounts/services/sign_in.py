"""What every sign-in ends with: the web session, whose it is, the account, and the record."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from django.db import transaction
from django.views.decorators.debug import sensitive_variables

from accounts import session_cache
from accounts.database import release_database_connection
from accounts.limits import RENEWED_SECONDS
from accounts.models import Account, ServiceSession
from accounts.services.accounts import find_or_create_account
from accounts.services.ended_sessions import end_oldest_sessions, end_web_session
from accounts.services.schools import organizations_of
from accounts.services.session_answers import fetch_session_answer
from accounts.services.session_records import create_record
from accounts.services.web_sessions import keep_session
from accounts.session_cache import CachedSession
from stats import counters
from upstream.calls.web_sessions import translate_token
from upstream.dialects import PAGE_DIALECTS
from upstream.errors import SessionDead, UpstreamInvalid, UpstreamNotFound, WrongKind
from upstream.records import PageKind, TokenGrant, UpstreamSession, WebSession
from upstream.shared_client import client

_USER_TYPES: dict[PageKind, str] = {"student": "student", "guardian": "parent"}


@dataclass(frozen=True, slots=True)
class LoginSource:
    """Where a login comes from: the client's address and a coarse device label."""

    address: str
    device: str


@dataclass(frozen=True, slots=True)
class SignedIn:
    account: Account
    record: ServiceSession
    grant: TokenGrant
    web: WebSession
    upstream: UpstreamSession = field(repr=False)

    @property
    def lasts(self) -> int:
        """How long the login lasts, in seconds."""
        renewed = RENEWED_SECONDS if self.grant.refresh_token else 0
        return max(self.grant.expires_in, renewed)


@sensitive_variables("grant")
def sign_in(
    school: str, grant: TokenGrant, source: LoginSource, *, kind: PageKind | None = None
) -> SignedIn:
    """Sign in the person whose token this is. `kind`: who signed in through the school's own page.

    When something fails, nothing is kept, and the web session is ended at upstream.

    Raises: WrongKind, AccountSuspended, NotSignedIn (the account is being erased, or the new login
    was ended), and upstream's errors.
    """
    dialect = PAGE_DIALECTS[kind] if kind else None
    if kind and grant.user_type.lower() not in ("", _USER_TYPES[kind]):
        raise WrongKind("a token of another kind")
    release_database_connection()
    with _just_issued():
        web = translate_token(
            client(),
            school=school,
            access_token=grant.access_token,
            org_ids=organizations_of(school) if kind else (),
            dialect=dialect,
        )
    try:
        with _just_issued():
            answer = fetch_session_answer(school=school, web=web, dialect=dialect)
        if kind not in (None, answer.role):
            raise WrongKind("a person of another kind")
        return _record(school, grant, source, kind, web, answer)
    except Exception:
        end_web_session(school, web)
        raise


@contextmanager
def _just_issued() -> Iterator[None]:
    """What upstream has just issued cannot have ended."""
    try:
        yield
    except WrongKind:
        raise
    except (SessionDead, UpstreamNotFound):
        raise UpstreamInvalid("upstream refused what it had just issued") from None


def _record(
    school: str,
    grant: TokenGrant,
    source: LoginSource,
    kind: PageKind | None,
    web: WebSession,
    answer: UpstreamSession,
) -> SignedIn:
    refusals = session_cache.current_refusals()
    with transaction.atomic():  # one commit for account, profile and record
        account = find_or_create_account(school, answer)
        refusal = account.refusal()
        if refusal is None:
            record = create_record(
                account=account, grant=grant, web=web, device=source.device, page_kind=kind
            )
    if refusal is not None:
        raise refusal
    end_oldest_sessions(account.pk)
    session = replace(CachedSession.of_record(record, web, answer), refusals=refusals)
    keep_session(session, record.pair_hash, record.token_hash)
    counters.count("login", account=account.pk, school=school)
    return SignedIn(account, record, grant, web, answer)
