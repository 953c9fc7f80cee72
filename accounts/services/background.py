"""Calls to upstream for an account without a request of its owner, for a calendar feed.

They use the token of one of the account's logins, with the same checks as a native app's request.
"""

from collections.abc import Callable
from typing import TypeVar

from accounts.callers import Caller
from accounts.cookies import Credential
from accounts.errors import NotSignedIn
from accounts.services.identity import identify
from accounts.services.session_records import records_with_live_token

T = TypeVar("T")
# Upstream may have revoked a token, which costs a call to find out.
LOGINS_TRIED = 5


def with_account_session(account_id: int, call: Callable[[Caller], T]) -> T:
    """The result of `call` with the account as the caller, by its newest login whose token upstream
    accepts. Does not change when that login was last used.

    Raises: NotSignedIn (no such login), AccountSuspended, upstream's errors, what `call` raises.
    """
    for record in records_with_live_token(account_id)[:LOGINS_TRIED]:
        try:
            caller, _ = identify(Credential("bearer", record.token_hash), address="")
            return call(caller)
        except NotSignedIn:
            continue
    raise NotSignedIn
