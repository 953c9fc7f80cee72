"""Friendships of an import. Both accounts of each are locked."""

from collections.abc import Sequence
from datetime import datetime

from accounts.import_types import ImportRefused, ImportRow
from social.limits import MAX_FRIENDS
from social.models import Friendship
from social.services.contact import Contacts, contacts_among

DECIDED = {
    Friendship.PENDING: "One of the two has asked the other here: it is answered here.",
    Friendship.DECLINED: "The request was declined here.",
    Friendship.ENDED: "The friendship was ended here.",
}


class _DecidedHere(ImportRefused):
    """The two decided here. Retention forgets that after a month, and an import never."""


def save_friendships(rows: Sequence[ImportRow]) -> None:
    """Make people friends, unless it is refused here: by a block, because it was declined or
    ended, because the adult asked the pupil, or because both are here and one is an adult."""
    contacts = contacts_among({int(target) for row in rows for target in row.targets.values()})
    for row in rows:
        fields = row.fields
        pair = row.person(fields["userA"]), row.person(fields["userB"])
        requested_by = row.person(fields["requestedBy"])
        try:
            row.found = not _save(pair, requested_by, fields["createdAt"], contacts)
            row.target = ""
        except _DecidedHere as why:
            row.refused, row.target = why, ""
        except ImportRefused as why:
            row.refused = why


def _save(
    pair: tuple[int, int], requested_by: int, created_at: datetime, contacts: Contacts
) -> bool:
    """Whether it is new. Raises: ImportRefused."""
    low, high = sorted(pair)
    if low == high:
        raise ImportRefused("The two are one person here.")
    if contacts.blocked_between(low, high):
        raise _DecidedHere("There is a block between the two.")
    found = Friendship.objects.between(low, high).first()
    if found is not None and found.status in DECIDED:
        raise _DecidedHere(DECIDED[found.status])
    if found is not None:
        return False
    asked = high if requested_by == low else low
    if contacts.is_unknown_adult(requested_by, to=asked):
        raise ImportRefused("An adult asked a pupil: the pupil has to ask.")
    both_here = not any(contacts.people[each].unclaimed for each in pair)
    if both_here and contacts.is_unknown_adult(asked, to=requested_by):
        raise ImportRefused("An adult and a pupil who have both signed in here decide here.")
    friends = Friendship.objects.filter(status=Friendship.ACCEPTED)
    if any(friends.of(each).count() >= MAX_FRIENDS for each in pair):
        raise ImportRefused("One of the two has as many friends as one may have.")
    friendship = Friendship.objects.create(
        low_id=low, high_id=high, requested_by_id=requested_by, status=Friendship.ACCEPTED
    )
    # The columns set themselves when a row is saved.
    times = {"created_at": created_at, "updated_at": created_at}
    Friendship.objects.filter(pk=friendship.pk).update(**times)
    return True
