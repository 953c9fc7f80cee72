"""Why a socket is closed."""

from enum import IntEnum


class CloseCode(IntEnum):
    """Below 4000 they are RFC 6455's, from 4000 on the service's own."""

    NOT_TEXT = 1003
    FRAME_TOO_LARGE = 1009
    UNEXPECTED = 1011
    # The web server sends it when it ends.
    RESTARTING = 1012
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


# For clients: why, and what to do.
DESCRIPTIONS = {
    CloseCode.NOT_TEXT: "A frame was not text.",
    CloseCode.FRAME_TOO_LARGE: "A frame was larger than 64 KiB.",
    CloseCode.UNEXPECTED: "An error of the service. Open another socket, waiting longer each time.",
    CloseCode.RESTARTING: "The server is being restarted. Open another socket at once.",
    CloseCode.TRY_AGAIN_LATER: "The school's system or a store is down; the session may still be "
    "valid. Open another socket, waiting longer each time.",
    CloseCode.NO_SESSION: "There is no session, or it has ended. Refresh or sign in again.",
    CloseCode.SUSPENDED: "The account is suspended. Do not open another socket automatically.",
    CloseCode.LAGGING: "You read too slowly. Open another socket, and catch up by REST.",
    CloseCode.SILENT_TOO_LONG: "No frame for five minutes. Open another socket when needed.",
    CloseCode.REPLACED: "The account has five newer sockets. Do not open another automatically.",
    CloseCode.TOO_MANY_FRAMES: "More than 100 frames in a minute. Send fewer.",
}
