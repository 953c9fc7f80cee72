"""What staff see of a reported message, group or person, None of what is gone. Never more."""

from typing import Any

from django.db.models import Q

from accounts.identifiers import read_id
from accounts.models import Profile
from accounts.services.people import NOBODY, people_of
from social.errors import NotThere
from social.models import Conversation, Membership, Message
from social.services.moderation import message_by_id

NEIGHBOURS = 5


def message_exhibit(message_id: str) -> dict[str, Any] | None:
    """The message and the five nearest ones."""
    try:
        message = message_by_id(message_id)
    except NotThere:
        return None
    conversation = message.conversation
    near = sorted(_around(message), key=lambda other: (abs(other.seq - message.seq), other.seq))[
        :NEIGHBOURS
    ]
    shown = sorted([message, *near], key=lambda one: one.seq)
    people = people_of(one.sender_id for one in shown if one.sender_id)
    return {
        "title": f"A message in a {'group' if conversation.is_group else 'direct conversation'}",
        "facts": [("Encrypted", "yes: only what was disclosed can be read")]
        if conversation.encrypted
        else [],
        "lines": [
            {
                "who": people.get(one.sender_id or 0, NOBODY).username,
                "at": one.created_at,
                "text": _text(one, conversation),
                "reported": one.pk == message.pk,
            }
            for one in shown
        ],
    }


def _around(message: Message) -> list[Message]:
    near = Q(seq__gte=message.seq - NEIGHBOURS, seq__lte=message.seq + NEIGHBOURS)
    others = Message.objects.filter(near, conversation=message.conversation_id)
    return list(others.exclude(pk=message.pk))


def _text(message: Message, conversation: Conversation) -> str:
    if message.deleted_at is not None:
        return "(deleted)"
    if conversation.encrypted:
        return "(encrypted)"
    return f"(hidden) {message.content}" if message.hidden_at else message.content


def group_exhibit(conversation_id: str) -> dict[str, Any] | None:
    """The name of a group and how many are in it; nothing that was said."""
    known = read_id(conversation_id)
    conversation = Conversation.objects.filter(pk=known).first() if known else None
    if conversation is None:
        return None
    admin = people_of([conversation.admin_id or 0]).get(conversation.admin_id or 0, NOBODY)
    return {
        "title": "A group",
        "facts": [
            ("Name", conversation.group_name),
            ("Description", conversation.group_description),
            ("Admin", admin.username),
            ("Members", Membership.objects.filter(conversation=conversation).count()),
            ("Encryption", conversation.encryption),
        ],
        "lines": [],
    }


def profile_exhibit(account_id: str) -> dict[str, Any] | None:
    """What a person shows of themselves."""
    profile = Profile.objects.select_related("account").filter(account_id=int(account_id)).first()
    if profile is None:
        return None
    person = people_of([profile.account_id]).get(profile.account_id, NOBODY)
    shown = ("display_name", "pronouns", "bio", "location", "website")
    return {
        "title": "A profile",
        "facts": [
            ("Public name", profile.account.username),
            ("School", profile.school_name),
            *((name.replace("_", " ").capitalize(), getattr(profile, name)) for name in shown),
        ],
        "picture": person.picture_url,
        "lines": [],
    }
