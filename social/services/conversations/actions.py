"""The two endpoints whose body says which of several services it wants."""

from collections.abc import Callable
from typing import Any

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


def start_conversation(*, group: bool = False, **fields: Any) -> tuple[Json, bool]:
    """A group, or the direct conversation with one person, with the arguments of its service; and
    whether it was created. Raises: as `create_group` and `open_dm`."""
    if group:
        return create_group(**fields), True
    return open_dm(**fields)


_SERVICES: dict[str, Callable[..., Json | None]] = {
    "rename": rename_group,
    "remove_member": remove_member,
    "leave": leave,
    "transfer_admin": transfer_admin,
    "mark_read": mark_read,
}


def change_conversation(*, action: str, **fields: Any) -> Json:
    """Do one of the actions, with the arguments of its service. Returns `conversation` as the
    caller sees it then, None after leaving; with `add_member` also `invite`.

    Raises: as the service.
    """
    if action == "add_member":
        conversation, invite = add_member(**fields)
        return {"conversation": conversation, "invite": invite}
    return {"conversation": _SERVICES[action](**fields)}
