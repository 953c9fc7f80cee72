"""Why a socket is closed."""

from enum import IntEnum


class CloseCode(IntEnum):
    """1000 to 1999 are RFC 6455's, 4000 and up are ours."""

    NOT_TEXT = 1003
    FRAME_TOO_LARGE = 1009
    UNEXPECTED = 1011
    # Upstream or one of our stores is away: the session may well live. Come back later.
    TRY_AGAIN_LATER = 1013
    NO_SESSION = 4401
    SUSPENDED = 4403
    # The client reads too slowly: it comes back and asks for what changed.
    LAGGING = 4008
    SILENT_TOO_LONG = 4408
    # The account opened a newer socket and had too many.
    REPLACED = 4409
    TOO_MANY_FRAMES = 4429
