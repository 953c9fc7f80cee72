"""At most five sockets per account, across processes, without counting them in a store.

Every socket notifies the others of its account when it opens and closes, and counts those that are
newer than itself. The oldest one counts five and closes itself. A killed process cannot
report that its sockets closed: older sockets of the account may then close early, and their clients
connect again.
"""

from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4


@dataclass(slots=True)
class ConnectionSlot:
    """One socket's slot among those of its account.

    `opened_ns` is Unix time, compared across machines; a wrong clock only changes which socket
    closes.
    """

    allowed: int
    opened_ns: int
    socket_id: str = field(default_factory=lambda: uuid4().hex)
    _newer: set[str] = field(default_factory=set)
    # Their `opened` waits behind other events, or is lost.
    _closed_first: set[str] = field(default_factory=set)

    def opened(self) -> dict[str, Any]:
        """The message to the others. Join their group first, then read the clock, then send: the
        older one of two sockets then receives the message of the newer one, unless it is lost."""
        return {"type": "socket.opened", "at": self.opened_ns, "socket": self.socket_id}

    def closed(self) -> dict[str, Any]:
        return {"type": "socket.closed", "at": self.opened_ns, "socket": self.socket_id}

    def register_opened(self, message: dict[str, Any]) -> bool:
        """Count another's `opened`, unless its `closed` came first. True: this socket is one too
        many."""
        if message["socket"] in self._closed_first:
            self._closed_first.remove(message["socket"])
        elif self._is_newer(message):
            self._newer.add(message["socket"])
        return len(self._newer) >= self.allowed

    def register_closed(self, message: dict[str, Any]) -> None:
        if message["socket"] in self._newer:
            self._newer.remove(message["socket"])
        elif self._is_newer(message):
            self._closed_first.add(message["socket"])

    def _is_newer(self, message: dict[str, Any]) -> bool:
        return (message["at"], message["socket"]) > (self.opened_ns, self.socket_id)
