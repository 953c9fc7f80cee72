"""The numbers of this app. `RATE_LIMITS=off` lifts none of them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SocketLimits:
    """What one socket may do. Times are seconds."""

    frame_bytes: int = 64 * 1024
    frames: int = 100
    frames_seconds: float = 60.0
    sockets_an_account: int = 5
    # Five minutes: a client pings about once a minute, and a browser slows a hidden tab's timers.
    silence_seconds: float = 300.0
    # A ping after so long also asks whether the session still stands: an event can be lost.
    recheck_seconds: float = 60.0
    # Longer than the eight seconds that upstream has, plus a wait for a free thread.
    sign_in_seconds: float = 15.0


SOCKET_LIMITS = SocketLimits()

# Sockets that are signed in at the same time: each needs a thread, and perhaps upstream.
SIGN_IN_THREADS = 16

# The in-memory layer drops what a socket's queue cannot hold. Consumers empty theirs at once, so
# this bounds one batch; how far a reader may lag is `SocketLimits`' business.
MEMORY_LAYER_CAPACITY = 10_000
# It would also forget sockets that are open for longer than this.
MEMORY_GROUP_SECONDS = 10 * 365 * 24 * 3600

# Batches that wait in one process while the channel layer is slow; more are dropped.
WAITING_BATCHES = 1_000
# One batch, all accounts of it. After that a socket has to ask again by REST.
SEND_SECONDS = 5.0

# What a person may keep of each; the next is refused. Requests that others sent count apart, so
# that a flood of them keeps nobody from asking.
MAX_FRIENDS = 500
MAX_RECEIVED = 500
MAX_BLOCKS = 500

# Ages of the last heartbeat, from the specification.
IDLE_AFTER_SECONDS = 3 * 60
OFFLINE_AFTER_SECONDS = 15 * 60
# People whose presence is asked for at once.
MAX_PRESENCES = 100

# Code points of what is searched for, and how many people are found.
SEARCH_MIN = 2
SEARCH_MAX = 100
SEARCH_FOUND = 20
