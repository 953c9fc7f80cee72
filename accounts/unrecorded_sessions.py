"""Sessions of cookie pairs without a record: of clients that signed in at upstream itself.

`unrecorded:<account>:<number>` in the store holds the credential hash of one that was cached, by
which it is found when all sessions of the account end.
"""

from contextlib import suppress

import store
from accounts.limits import MAX_SESSIONS, WEB_SESSION_KEPT_SECONDS
from store import StoreUnavailable


def unrecorded_key(credential_hash: str) -> str:
    """The session key of such a session."""
    return f"pair-{credential_hash[:32]}"


def list_unrecorded(account_id: int, credential_hash: str) -> None:
    """Make the session one of those that `unrecorded_of` returns."""
    value = credential_hash.encode()
    with suppress(StoreUnavailable):
        for name in _names(account_id):
            if store.add(name, value, WEB_SESSION_KEPT_SECONDS) or store.get(name) == value:
                return


def unrecorded_of(account_id: int) -> list[str]:
    """The credential hashes of the account's sessions without a record that are cached, or were."""
    try:
        return [value.decode() for value in store.get_many(_names(account_id)).values()]
    except StoreUnavailable:
        return []


def _names(account_id: int) -> list[str]:
    return [f"unrecorded:{account_id}:{number}" for number in range(MAX_SESSIONS)]
