"""A login between its two halves: sealed, in the store only, for five minutes, used once."""

import hmac

import orjson
from django.views.decorators.debug import sensitive_variables

from accounts.encryption import keyed_hash, seal, unseal
from accounts.errors import InvalidAttempt
from accounts.limits import ATTEMPT_SECONDS, ATTEMPT_TRIES
from accounts.stores import store


@sensitive_variables()
def keep(*, state: str, code: str, verifier: str, school: str) -> None:
    """Keep an attempt. Raises `StoreUnavailable`."""
    name = _name(state)
    attempt = [keyed_hash("attempt code", code), verifier, school]
    store().set(name, seal("login attempt", name, orjson.dumps(attempt)), ATTEMPT_SECONDS)


@sensitive_variables()
def take_verifier(*, state: str, code: str, school: str) -> str:
    """The verifier of the attempt that this state and code belong to; the attempt is used up.

    Raises `InvalidAttempt` when it is unknown, used, late, or of another code or school; the
    third wrong try burns it. Of many right tries at once, one gets the verifier.
    """
    name = _name(state)
    opened = unseal("login attempt", name, store().get(name))
    if opened is None:
        raise InvalidAttempt
    code_hash, verifier, own_school = orjson.loads(opened)
    right_code = hmac.compare_digest(code_hash, keyed_hash("attempt code", code))
    if not (right_code and hmac.compare_digest(own_school.encode(), school.encode())):
        tries, _ = store().hit(f"tries:{name}", ATTEMPT_SECONDS)
        if tries >= ATTEMPT_TRIES:
            store().delete(name)
        raise InvalidAttempt
    if store().take(name) is None:
        raise InvalidAttempt
    return str(verifier)


def _name(state: str) -> str:
    return f"attempt:{keyed_hash('attempt state', state)}"
