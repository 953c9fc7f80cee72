"""The people, the sockets and the staff of the other tests."""

from tests.social.conftest import cast, open_socket, port_with, ready_socket, sign_in
from tests.staff.conftest import enter, fast_passwords

__all__ = ["cast", "enter", "fast_passwords", "open_socket", "port_with", "ready_socket", "sign_in"]
