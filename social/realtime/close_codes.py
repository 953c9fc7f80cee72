"""Why a socket is closed."""

from enum import IntEnum


class CloseCode(IntEnum):
    """Below 4000 they are RFC 6455's, from 4000 on the service's own."""

    NOT_TEXT = 1003
    FRAME_TOO_LARGE = 1009
    UNEXPECTED = 1011
    # Upstream or a store is down: the session may still be valid.
    TRY_AGAIN_LATER = 1013
    NO_SESSION = 4401
    SUSPENDED = 4403
    # The client reads too slowly. It reconnects and reads what changed by REST.
    LAGGING = 4008
    SILENT_TOO_LONG = 4408
    # The account has five newer sockets.
    REPLACED = 4409
    TOO_MANY_FRAMES = 4429
