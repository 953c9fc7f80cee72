"""Whether somebody may report something, and who is responsible for it."""

from typing import Any

from accounts.identifiers import read_id
from social.access import membership_of, message_for_member
from social.errors import NotThere


def message_target(account_id: int, target_id: str) -> dict[str, Any]:
    """A message that the account can read, by its public id. Raises: NotThere."""
    conversation_id = read_id(target_id.partition("-")[0])
    if conversation_id is None:
        raise NotThere
    membership, message = message_for_member(account_id, conversation_id, target_id)
    return {
        "target_id": message.public_id,
        "subject": message.sender_id,
        "encrypted": membership.conversation.encrypted,
    }


def group_target(account_id: int, target_id: str) -> dict[str, Any]:
    """A group that the account is in; its admin is responsible for it. Raises: NotThere."""
    conversation_id = read_id(target_id)
    if conversation_id is None:
        raise NotThere
    conversation = membership_of(account_id, conversation_id).conversation
    if not conversation.is_group:
        raise NotThere
    return {"target_id": conversation.pk.hex, "subject": conversation.admin_id}
