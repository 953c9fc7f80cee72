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

# Batches that wait in one process while the channel layer is slow; more are dropped.
WAITING_BATCHES = 1_000
# One batch, all accounts of it. After that a socket has to ask again by REST.
SEND_SECONDS = 5.0
