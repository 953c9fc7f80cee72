"""The profiles of other people."""

from typing import Any

from accounts.services.profiles import profile_named, render_profile
from social.errors import NotThere
from social.services.relations import blocked_between


def profile_for(account_id: int, *, username: str) -> dict[str, Any]:
    """What everybody sees of the person with this name; one's own name works too.

    Raises: NotThere, the same for unknown, suspended, and blocked either way.
    """
    # PostgreSQL takes no NUL, and nobody's name has one.
    profile = None if "\0" in username else profile_named(username)
    if profile is None or blocked_between(account_id, profile.account_id):
        raise NotThere
    return render_profile(profile, own=False)
