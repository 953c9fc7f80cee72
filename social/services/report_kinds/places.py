"""Where a reported thing stands, for staff: in which conversation, and who reads there."""

from django.utils.translation import gettext_lazy as _

from accounts.contribution_types import ReportPlace, Words
from accounts.identifiers import read_id
from social.access import members_of
from social.models import Conversation, Invite

KINDS: dict[tuple[str, bool], Words] = {
    (Conversation.DM, False): _("Conversation between two"),
    (Conversation.GROUP, False): _("Group"),
    (Conversation.GROUP, True): _("Encrypted group"),
}


def place_of_conversation(conversation_id: str) -> ReportPlace | None:
    """None when there is no such conversation (any more)."""
    pk = read_id(conversation_id)
    conversation = Conversation.objects.filter(pk=pk).first() if pk else None
    if conversation is None:
        return None
    kind = KINDS[conversation.type, conversation.encrypted]
    return ReportPlace(kind, conversation.group_name, members_of(conversation.pk))


def place_of_message(message_id: str) -> ReportPlace | None:
    return place_of_conversation(message_id.partition("-")[0])


def place_of_invite(invite_id: str) -> ReportPlace | None:
    """The group that it invites to."""
    pk = read_id(invite_id)
    invite = Invite.objects.filter(pk=pk).first() if pk else None
    return place_of_conversation(invite.conversation_id.hex) if invite else None
