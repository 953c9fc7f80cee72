"""In which direct conversations a person is shown by their username, without a picture: a display
name can be a message to somebody who wants none."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Value, When
from django.utils import timezone

from accounts.models import Profile
from social.limits import ANSWER_DAYS
from social.models import Block, Conversation, Friendship, Membership, Message

_LOW, _HIGH = "conversation__pair_low", "conversation__pair_high"


def with_hidden_names(memberships: QuerySet[Membership]) -> QuerySet[Any]:
    """Memberships with `name_hidden`: whether the other person of a direct conversation does not
    see this member's display name and picture.

    They do not across a block, and a pupil does not see those of an adult who may write there
    neither as a friend nor in answer (`MAY_MESSAGE`). Nothing is hidden in groups.
    """
    blocks = Block.objects.between(OuterRef(_LOW), OuterRef(_HIGH))
    hidden = Q(Exists(blocks))
    if not settings.ADULT_DM_PUPIL:
        hidden |= _is_adult_who_may_not_write()
    of_dm = Q(conversation__type=Conversation.DM)
    return memberships.annotate(
        name_hidden=Case(When(of_dm & hidden, then=Value(True)), default=Value(False))
    )


def _is_adult_who_may_not_write() -> Q:
    friendships = Friendship.objects.filter(low=OuterRef(_LOW), high=OuterRef(_HIGH))
    friends = friendships.filter(status=Friendship.ACCEPTED)
    pupils = Profile.objects.filter(
        account__memberships__conversation=OuterRef("conversation"), user_type="student"
    )
    questions = Message.objects.filter(
        ~Exists(friendships.filter(ended_at__gte=OuterRef("created_at"))),
        ~Q(sender=OuterRef("account")),
        conversation=OuterRef("conversation"),
        created_at__gt=timezone.now() - timedelta(days=ANSWER_DAYS),
    )
    is_adult = ~Q(account__profile__user_type="student")
    return is_adult & Q(Exists(pupils), ~Exists(friends), ~Exists(questions))
