"""What staff do to reported messages, groups and profiles.

Each function takes the id that the case keeps, and returns whether it changed anything.
"""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.errors import NotSignedIn
from accounts.identifiers import read_id
from accounts.models import Picture, Profile
from accounts.services.pictures import remove_picture
from accounts.services.profiles import change_profile, locked_profile
from social.errors import NotThere
from social.models import Conversation, Invite, Message
from social.models.messages import seq_of
from social.services.conversations.changes import publish_change
from social.services.messages.change import count_as_unread, save_change

# The name of a group whose own name was removed.
NEUTRAL_GROUP_NAME = "Group"
PROFILE_TEXTS = (
    *("bio", "pronouns", "location", "website"),
    *("github", "twitter", "instagram", "linkedin"),
)


@transaction.atomic
def hide_message(message_id: str) -> bool:
    """Show a message as a deleted one, but not to staff. Raises: NotThere."""
    conversation, message = _locked_message(message_id)
    if message.is_gone:
        return False
    message.hidden_at = timezone.now()
    count_as_unread(message, -1)
    save_change(conversation, message, "hidden_at")
    return True


@transaction.atomic
def unhide_message(message_id: str) -> bool:
    """Show a hidden message again. Raises: NotThere."""
    conversation, message = _locked_message(message_id)
    if message.hidden_at is None:
        return False
    message.hidden_at = None
    count_as_unread(message, 1)
    save_change(conversation, message, "hidden_at")
    return True


def message_by_id(message_id: str) -> Message:
    """A message for staff, without a check of membership. Raises: NotThere."""
    conversation_id, seq = _read(message_id)
    message = Message.objects.filter(conversation=conversation_id, seq=seq).first()
    if message is None:
        raise NotThere
    return message


@transaction.atomic
def remove_group_name(group_id: str) -> bool:
    """Give the group a neutral name, also in its open invites, which keep the name that it had when
    they were sent. Raises: NotThere."""
    changed = _change_group(group_id, group_name=NEUTRAL_GROUP_NAME)
    invites = Invite.objects.filter(conversation=read_id(group_id), status=Invite.PENDING)
    others = invites.exclude(group_name=NEUTRAL_GROUP_NAME).order_by("pk")
    shown = list(others.select_for_update(no_key=True).values_list("pk", flat=True))
    Invite.objects.filter(pk__in=shown).update(group_name=NEUTRAL_GROUP_NAME)
    return changed or bool(shown)


def remove_group_description(group_id: str) -> bool:
    """Raises: NotThere."""
    return _change_group(group_id, group_description="")


def remove_display_name(account_id: str) -> bool:
    """The person is shown by their own name again. Raises: NotThere."""
    return _change_profile(account_id, display_name="")


def remove_profile_texts(account_id: str) -> bool:
    """Empty the bio and the other texts that the person has written. Raises: NotThere."""
    return _change_profile(account_id, **dict.fromkeys(PROFILE_TEXTS, ""))


def remove_avatar(account_id: str) -> bool:
    """Raises: NotThere."""
    return _remove_picture(account_id, Picture.AVATAR)


def remove_cover(account_id: str) -> bool:
    """Raises: NotThere."""
    return _remove_picture(account_id, Picture.COVER)


@transaction.atomic
def _change_group(group_id: str, **values: str) -> bool:
    group = _locked_conversation(read_id(group_id))
    changed = [name for name, value in values.items() if getattr(group, name) != value]
    if not changed:
        return False
    for name in changed:
        setattr(group, name, values[name])
    group.save(update_fields=changed)
    publish_change(group)
    return True


@transaction.atomic
def _change_profile(account_id: str, **values: Any) -> bool:
    profile = _profile(account_id)
    before = [getattr(profile, name) for name in values]
    change_profile(profile, values)
    return before != [getattr(profile, name) for name in values]


@transaction.atomic
def _remove_picture(account_id: str, kind: str) -> bool:
    profile = _profile(account_id)
    shown = Picture.objects.filter(account_id=profile.account_id, kind=kind).exists()
    remove_picture(profile.account_id, kind=kind)
    return shown


def _profile(account_id: str) -> Profile:
    try:
        return locked_profile(int(account_id))
    except NotSignedIn:  # the account is erased
        raise NotThere from None


def _locked_message(message_id: str) -> tuple[Conversation, Message]:
    conversation_id, _ = _read(message_id)
    return _locked_conversation(conversation_id), message_by_id(message_id)


def _locked_conversation(conversation_id: UUID | None) -> Conversation:
    # Closed ones too: a case about them may still be open.
    rows = Conversation.objects.select_for_update(no_key=True)
    conversation = rows.filter(pk=conversation_id).first() if conversation_id else None
    if conversation is None:
        raise NotThere
    return conversation


def _read(message_id: str) -> tuple[UUID, int]:
    conversation_id = read_id(message_id.partition("-")[0])
    seq = seq_of(message_id, conversation_id) if conversation_id else None
    if conversation_id is None or seq is None:
        raise NotThere
    return conversation_id, seq
