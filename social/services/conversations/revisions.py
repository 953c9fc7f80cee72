"""Every change of a conversation has a number, so that whoever was away can ask what came after."""

from social.models import Conversation


def next_revision(conversation: Conversation, *, info: bool = False) -> int:
    """The next revision of a locked conversation, saved.

    `info`: the conversation itself changed (its name, its members), not a message.
    """
    conversation.revision += 1
    fields = ["revision"]
    if info:
        conversation.info_revision = conversation.revision
        fields.append("info_revision")
    conversation.save(update_fields=fields)
    return conversation.revision
