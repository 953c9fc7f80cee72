"""What no longer holds when an imported person turns out to have another role."""

from django.conf import settings
from django.utils import timezone

from accounts.errors import NotFound
from accounts.services.people import people_of
from social.access import lock_conversation, members_of
from social.models import Conversation, Friendship, Membership
from social.services.contact import contacts_among
from social.services.conversations.groups import end_membership


def end_refused_contacts(account_id: int) -> None:
    """End the friendships in which an adult asked a pupil, and leave the groups in which an adult
    and a pupil who are no friends would meet. Runs in the transaction of the sign-in."""
    if settings.ADULT_DM_PUPIL:
        return
    rows = list(Friendship.objects.of(account_id).filter(status=Friendship.ACCEPTED))
    people = people_of({account_id, *(row.other(account_id) for row in rows)})
    for row in rows:
        asked = row.other(row.requested_by_id)
        if people[row.requested_by_id].is_adult and not people[asked].is_adult:
            now = timezone.now()
            ended = {"status": Friendship.ENDED, "ended_at": now, "updated_at": now}
            Friendship.objects.filter(pk=row.pk, status=Friendship.ACCEPTED).update(**ended)
    groups = Membership.objects.filter(
        account=account_id,
        conversation__type=Conversation.GROUP,
        conversation__closed_at=None,
    )
    ids = groups.order_by("conversation").values_list("conversation", flat=True)
    for conversation_id in list(ids):
        try:
            conversation = lock_conversation(conversation_id)
        except NotFound:
            continue  # its last member has just left it
        members = members_of(conversation_id)
        contacts = contacts_among(members)
        if any(
            contacts.is_unknown_adult(account_id, to=each)
            or contacts.is_unknown_adult(each, to=account_id)
            for each in members
        ):
            end_membership(conversation, account_id)
