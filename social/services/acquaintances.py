"""Who sees an account's name somewhere, and is told when it changes."""

from accounts.models import Account
from accounts.services.people import people_of
from social.models import Friendship, Membership
from social.realtime.events import ProfileUpdated
from social.realtime.publish import ToAccounts, publish_on_commit


def profile_recipients(account_id: int) -> list[int]:
    """Everybody in a conversation with the account, its friends, and itself, in one query."""
    friends = Friendship.objects.filter(status=Friendship.ACCEPTED)
    found = Account.objects.filter(pk=account_id).values_list("pk")
    found = found.union(
        Membership.objects.filter(
            conversation__memberships__account=account_id, conversation__closed_at=None
        ).values_list("account_id"),
        friends.filter(high=account_id).values_list("low_id"),
        friends.filter(low=account_id).values_list("high_id"),
    )
    return sorted(each for (each,) in found)


def publish_profile(account_id: int) -> None:
    """Publish how the account is shown from now on."""
    person = people_of([account_id]).get(account_id)
    if person is not None:
        event = ProfileUpdated(
            username=person.username, displayName=person.display_name, pfpUrl=person.picture_url
        )
        publish_on_commit([ToAccounts(profile_recipients(account_id), event)])
