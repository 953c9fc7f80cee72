"""The profiles of other people: reading one, and who receives its changes."""

from collections.abc import Iterable
from typing import Any

from accounts.errors import NotFound
from accounts.services.people import people_of
from accounts.services.profiles import profile_named, render_profile
from social.models import Block
from social.realtime.events import ProfileUpdated
from social.realtime.publish import Delivery, publish_on_commit


def profile_for(account_id: int, *, username: str) -> dict[str, Any]:
    """The public profile of the person with this name; one's own name works too.

    Raises: NotFound, the same for unknown, suspended, and blocked either way.
    """
    # PostgreSQL takes no NUL, and nobody's name has one.
    profile = None if "\0" in username else profile_named(username)
    if profile is None or Block.objects.between(account_id, profile.account_id).exists():
        raise NotFound
    return render_profile(profile, own=False)


def publish_profile(account_id: int, recipients: Iterable[int]) -> None:
    """Publish the account's names and picture as they are now."""
    person = people_of([account_id]).get(account_id)
    if person is not None:
        event = ProfileUpdated(
            username=person.username,
            displayName=person.display_name,
            userType=person.user_type,
            realName=person.other_real_name,
            pfpUrl=person.picture_url,
        )
        publish_on_commit([Delivery(recipients, event)])
