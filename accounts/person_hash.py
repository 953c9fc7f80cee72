"""The keyed hash of a person, which outlives their account.

Whatever has to hold for somebody who erases the account and signs in again is kept under it: rate
limits, refusals, blocks, suspensions and cases.
"""

from accounts.encryption import keyed_hash


def hash_of_person(school: str, upstream_user_id: int) -> str:
    """64 hex digits that recognise a person, and from which nobody learns who it is.

    The purpose says "erased person", its first use: another one would change every stored hash.
    """
    return keyed_hash("erased person", school, str(upstream_user_id))


def key_hash() -> str:
    """16 hex digits that recognise the SECRET_KEY with which people are hashed."""
    return keyed_hash("erased person")[:16]
