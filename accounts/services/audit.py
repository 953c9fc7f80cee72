"""The audit log of staff."""

from accounts.addresses import shortened
from accounts.models import AuditEntry


def record(*, staff_id: int, action: str, target: str = "", reason: str = "", address: str) -> None:
    """Add an entry. `target` is a kind and an id (`report 3f…`), never a name; of the client's
    `address` only the network is stored."""
    AuditEntry.objects.create(
        staff_id=staff_id, action=action, target=target, reason=reason, address=shortened(address)
    )
