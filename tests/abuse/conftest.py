"""The people, the sockets and the staff of the other tests."""

from tests.social.conftest import cast, sockets_at, sockets_with
from tests.staff.conftest import enter

__all__ = ["cast", "enter", "sockets_at", "sockets_with"]
