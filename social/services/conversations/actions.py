"""The two endpoints whose body says which of several services it wants."""

from collections.abc import Sequence
from typing import Any, Literal
from uuid import UUID

from social.models import Conversation
from social.services.conversations.activity import mark_read
from social.services.conversations.direct import open_dm
from social.services.conversations.groups import (
    create_group,
    leave,
    remove_member,
    rename_group,
    transfer_admin,
)
from social.services.invites.actions import add_member

Json = dict[str, Any]
Action = Literal["rename", "add_member", "remove_member", "leave", "transfer_admin", "mark_read"]


def start_conversation(
    *,
    account_id: int,
    group: bool,
    target_username: str = "",
    name: str = "",
    description: str = "",
    usernames: Sequence[str] = (),
    encryption: str = Conversation.NONE,
) -> tuple[Json, bool]:
    """A group, or the direct conversation with one person; and whether it was created.

    Raises: as `create_group` and `open_dm`.
    """
    if not group:
        return open_dm(account_id=account_id, target_username=target_username)
    created = create_group(
        account_id=account_id,
        name=name,
        description=description,
        usernames=usernames,
        encryption=encryption,
    )
    return created, True


def change_conversation(
    *,
    account_id: int,
    conversation_id: UUID,
    action: Action,
    name: str | None = None,
    description: str | None = None,
    target_username: str = "",
    seq: int | None = None,
) -> Json:
    """Do one of the actions. Returns `conversation` as the caller sees it then, None after
    leaving; with `add_member` also `invite`.

    Raises: as the services that it calls.
    """
    where: Json = {"account_id": account_id, "conversation_id": conversation_id}
    match action:
        case "rename":
            return {"conversation": rename_group(**where, name=name, description=description)}
        case "add_member":
            shown, invite = add_member(**where, target_username=target_username)
            return {"conversation": shown, "invite": invite}
        case "remove_member":
            return {"conversation": remove_member(**where, target_username=target_username)}
        case "leave":
            leave(**where)
            return {"conversation": None}
        case "transfer_admin":
            return {"conversation": transfer_admin(**where, target_username=target_username)}
        case "mark_read":
            return {"conversation": mark_read(**where, seq=seq)}
