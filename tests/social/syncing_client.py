"""A client that stores what it sees, and asks /api/sync for what it missed."""

from typing import Any

from tests.conftest import Caller

Json = dict[str, Any]
Messages = dict[str, dict[int, Json]]


class SyncingClient:
    """Its conversations by id, and their messages by number."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller
        self.conversations: dict[str, Json] = {}
        self.messages: Messages = {}
        self.unread_total = 0

    def sync(self) -> Json:
        """Ask once, and read what did not fit into the answer. Returns the answer."""
        known = {
            key: {"revision": each["revision"], "lastReadSeq": each["lastReadSeq"]}
            for key, each in self.conversations.items()
        }
        answer = self.caller.post("/api/sync", {"conversations": known})
        assert answer.status_code == 200, answer.content
        missed: Json = answer.json()
        for key in missed["removed"]:
            del self.conversations[key], self.messages[key]
        for conversation in missed["conversations"]:
            key = conversation["id"]
            self.conversations[key] = conversation
            kept = self.messages.get(key, {})
            joined = conversation["joinedSeq"]
            self.messages[key] = {seq: each for seq, each in kept.items() if seq > joined}
        for key, messages in missed["messages"].items():
            self._store(key, messages)
        for key in missed["more"]:
            got = missed["messages"].get(key)
            asked = known.get(key, {"revision": 0})["revision"]
            self._read_changed(key, got[-1]["revision"] if got else asked)
        self._quote()
        self.unread_total = missed["unreadTotal"]
        return missed

    def _quote(self) -> None:
        """Quotes have no revision: show what the quoted messages are now."""
        for messages in self.messages.values():
            by_id = {message["id"]: message for message in messages.values()}
            for message in messages.values():
                quote = message["replyTo"]
                if quote is not None and quote["messageId"] in by_id:
                    quote["content"] = by_id[quote["messageId"]]["content"][:200]

    def _store(self, key: str, messages: list[Json]) -> None:
        self.messages[key] |= {message["seq"]: message for message in messages}

    def _read_changed(self, key: str, after: int | None) -> None:
        while after is not None:
            path = f"/api/conversations/{key}/messages?changedAfter={after}&limit=100"
            page = self.caller.get(path).json()
            if not page["success"]:
                return  # removed meanwhile: the next answer says so
            self._store(key, page["messages"])
            after = page["next"]


def read_everything(caller: Caller) -> tuple[dict[str, Json], Messages, int]:
    """The same by the list and the pages of messages; nobody may write meanwhile."""
    conversations: dict[str, Json] = {}
    cursor: str | None = ""
    while cursor is not None:
        page = caller.get(f"/api/conversations?limit=100&cursor={cursor}").json()
        conversations |= {each["id"]: each for each in page["conversations"]}
        cursor = page["next"]
    messages: Messages = {}
    for key in conversations:
        messages[key] = {}
        after: int | None = 0
        while after is not None:
            path = f"/api/conversations/{key}/messages?after={after}&limit=100"
            found = caller.get(path).json()
            messages[key] |= {each["seq"]: each for each in found["messages"]}
            after = found["next"]
    return conversations, messages, page["unreadTotal"]
