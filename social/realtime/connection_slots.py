"""At most five sockets an account, across processes, without a store that counts them.

Every socket tells the others of its account when it opens and when it closes, and counts those
that are newer than itself. The oldest is the one that counts five; it leaves by itself. A process
that is killed cannot say goodbye for its sockets: the older ones of the account then leave early
and come back as new ones.
"""

from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4


@dataclass(slots=True)
class ConnectionSlot:
    """One socket's place among those of its account. `opened_ns` is Unix time: processes of
    several machines compare it, and a clock that is off only changes which one leaves."""

    allowed: int
    opened_ns: int
    socket_id: str = field(default_factory=lambda: uuid4().hex)
    _newer: set[str] = field(default_factory=set)

    def opened(self) -> dict[str, Any]:
        """The message for the others. Join their group first, then read the clock, then send:
        whichever of two sockets is older then hears of the newer one."""
        return {"type": "socket.opened", "at": self.opened_ns, "socket": self.socket_id}

    def closed(self) -> dict[str, Any]:
        """The other message for the others."""
        return {"type": "socket.closed", "socket": self.socket_id}

    def register_opened(self, message: dict[str, Any]) -> bool:
        """Take in another's `opened`. True: this socket is the one too many."""
        if (message["at"], message["socket"]) > (self.opened_ns, self.socket_id):
            self._newer.add(message["socket"])
        return len(self._newer) >= self.allowed

    def register_closed(self, message: dict[str, Any]) -> None:
        """Take in another's `closed`."""
        self._newer.discard(message["socket"])
