"""Why a socket is closed."""

from django.db.models import IntegerChoices


class CloseCode(IntegerChoices):
    """Below 4000 they are RFC 6455's, from 4000 on the service's own. The labels are for clients:
    why, and what to do."""

    NOT_TEXT = 1003, "A frame was not text."
    FRAME_TOO_LARGE = 1009, "A frame was larger than 64 KiB."
    UNEXPECTED = 1011, "An error of the service. Open another socket, waiting longer each time."
    # The web server sends it when it ends.
    RESTARTING = (
        1012,
        "The server is being restarted. Open another socket after a random time of up to 30 "
        "seconds.",
    )
    TRY_AGAIN_LATER = (
        1013,
        "The school's system is down; the session may still be valid. Open another "
        "socket, waiting longer each time.",
    )
    NO_SESSION = 4401, "There is no session, or it has ended. Refresh or sign in again."
    SUSPENDED = 4403, "The account is suspended. Do not open another socket automatically."
    LAGGING = 4008, "You read too slowly. Open another socket, and catch up by REST."
    SILENT_TOO_LONG = 4408, "No frame for five minutes. Open another socket when needed."
    TOO_MANY_FRAMES = 4429, "More than 100 frames in a minute. Send fewer."
