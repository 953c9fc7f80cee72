"""Work for an account while nobody is there: a calendar feed is read by a program.

It goes the way of a native app, with the token of one of the account's logins, and takes every
check on it: the cached web cookies, the identity that upstream names, suspension.
"""

from collections.abc import Callable
from typing import TypeVar

from accounts.callers import Caller
from accounts.cookies import Credential
from accounts.errors import NotSignedIn
from accounts.services.identity import identify
from accounts.services.session_records import records_with_live_token

T = TypeVar("T")
# A token that upstream has revoked costs a call to find out.
LOGINS_TRIED = 5


def with_account_session(account_id: int, call: Callable[[Caller], T]) -> T:
    """`call` with the account as the caller, by its newest login whose token upstream takes.

    That login does not count as used by it. Raises: NotSignedIn (no such login is left),
    AccountSuspended, upstream's errors, and what `call` raises.
    """
    for record in records_with_live_token(account_id)[:LOGINS_TRIED]:
        try:
            caller, _ = identify(Credential("bearer", record.token_hash), address="")
            return call(caller)
        except NotSignedIn:
            continue
    raise NotSignedIn
