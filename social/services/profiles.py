"""The profiles of other people: reading one, and who receives its changes."""

from collections.abc import Iterable
from typing import Any

from accounts.callers import Caller
from accounts.errors import NotFound
from accounts.services.people import Person, people_of
from accounts.services.profiles import profile_named, render_profile
from social.models import Block
from social.realtime.events import ProfileUpdated
from social.realtime.publish import Delivery, publish_on_commit
from social.services.conversations.direct import may_begin_dm
from social.services.friendships import may_request_friendship
from social.services.invites.rules import may_invite_now
from social.services.relations import require_not_hidden


def profile_for(caller: Caller, *, username: str) -> dict[str, Any]:
    """The public profile of the person with this name, and what the caller may begin with them now;
    one's own name works too.

    Raises: NotFound, the same for unknown, suspended, blocked either way, and a hidden pupil of
    another school, unless the two have something open between them.
    """
    # PostgreSQL takes no NUL, and nobody's name has one.
    profile = None if "\0" in username else profile_named(username)
    if profile is None or Block.objects.between(caller.account_id, profile.account_id).exists():
        raise NotFound
    other = people_of([profile.account_id])[profile.account_id]
    require_not_hidden(caller.account_id, other)
    return render_profile(profile, own=False) | {"contact": _contact(caller, other)}


def _contact(caller: Caller, other: Person) -> dict[str, bool]:
    """What would not be refused; limits aside. Nothing with oneself."""
    me, them = caller.account_id, other.account_id
    return {
        "dm": me != them and may_begin_dm(me, them),
        "friend": me != them and may_request_friendship(caller, other),
        "invite": me != them and may_invite_now(me, them),
    }


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
