"""Requests about messages, over HTTP."""

from typing import Any

from social.models import Conversation
from tests.conftest import Caller

Json = dict[str, Any]


def message_path(conversation: Conversation, message: Json | None = None) -> str:
    """The path of a conversation's messages, or of one of them."""
    return f"/api/conversations/{conversation.pk.hex}/{message['id'] if message else 'messages'}"


def send(caller: Caller, conversation: Conversation, content: str = "Hej", **fields: Any) -> Any:
    """The response to a send."""
    return caller.post(message_path(conversation), {"content": content, **fields})


def sent(caller: Caller, conversation: Conversation, content: str = "Hej", **fields: Any) -> Json:
    """Send a message; it, as its sender sees it."""
    answer = send(caller, conversation, content, **fields)
    assert answer.status_code == 201, answer.content
    message: Json = answer.json()["message"]
    return message


def change(
    caller: Caller, conversation: Conversation, message: Json, action: str, **fields: Any
) -> Any:
    """The response to a change of a message."""
    return caller.patch(message_path(conversation, message), {"action": action, **fields})


def changed(
    caller: Caller, conversation: Conversation, message: Json, action: str, **fields: Any
) -> Json:
    """A message after a change that must succeed."""
    answer = change(caller, conversation, message, action, **fields)
    assert answer.status_code == 200, answer.content
    after: Json = answer.json()["message"]
    return after


def read(caller: Caller, conversation: Conversation, query: str = "") -> Json:
    """A page of messages."""
    answer = caller.get(f"{message_path(conversation)}{query}")
    assert answer.status_code == 200, answer.content
    page: Json = answer.json()
    return page


def seqs(page: Json) -> list[int]:
    """The numbers of the messages of a page."""
    return [message["seq"] for message in page["messages"]]


def one(caller: Caller, conversation: Conversation, message: Json) -> Json:
    """The message as this reader sees it now."""
    page = read(caller, conversation, f"?before={message['seq'] + 1}&limit=1")
    found: Json = page["messages"][0]
    assert found["seq"] == message["seq"]
    return found
