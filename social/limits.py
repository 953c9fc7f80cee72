"""The numbers of this app. `RATE_LIMITS=off` lifts none of them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SocketLimits:
    """What one socket may do. Times are seconds."""

    frame_bytes: int = 64 * 1024
    frames: int = 100
    frames_seconds: float = 60.0
    sockets_per_account: int = 5
    # Five minutes: a client pings about once a minute, and a browser slows a hidden tab's timers.
    silence_seconds: float = 300.0
    # What may wait to be written. Beyond it the reader lags, is closed, and asks by REST.
    waiting_frames: int = 1_000
    waiting_characters: int = 1024 * 1024
    # One frame must be taken in this time.
    write_seconds: float = 20.0
    # What waits when the socket is to be closed gets this long: a logout acts within a second.
    flush_seconds: float = 0.5
    # `typing` of one conversation is passed on once in so long.
    typing_seconds: float = 2.0
    # Who is in a conversation is remembered for so long, for `typing` alone.
    membership_seconds: float = 3.0
    # A ping after so long also asks whether the session still stands: an event can be lost.
    recheck_seconds: float = 60.0
    # Longer than the eight seconds that upstream has, plus a wait for a free thread.
    sign_in_seconds: float = 15.0


SOCKET_LIMITS = SocketLimits()

# Sockets that are signed in at the same time: each needs a thread, and perhaps upstream.
SIGN_IN_THREADS = 16
# Threads for the slow work of open sockets: each asks the database for a moment.
BACKGROUND_THREADS = 4

# The in-memory layer drops what a socket's queue cannot hold. Consumers empty theirs at once, so
# this bounds one batch; how far a reader may lag is `SocketLimits`' business.
MEMORY_LAYER_CAPACITY = 10_000
# It would also forget sockets that are open for longer than this.
MEMORY_GROUP_SECONDS = 10 * 365 * 24 * 3600

# Batches that wait in one process while the channel layer is slow; more are dropped.
WAITING_BATCHES = 1_000
# Letters in one round trip to the layer, about: a batch is never torn.
SENT_AT_ONCE = 500
# One round trip. After that a socket has to ask again by REST.
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

# Code points of a message, and of the base64 of an encrypted one.
TEXT_LENGTH = 2_000
CIPHERTEXT_LENGTH = 8_192
QUOTE_LENGTH = 200
PREVIEW_LENGTH = 120
DIFFERENT_EMOJI = 20
EDIT_WINDOW_HOURS = 24
# Messages that a conversation comes with, and a page of them.
RECENT_MESSAGES = 60
MESSAGES_A_PAGE = 30
MESSAGES_A_PAGE_AT_MOST = 100
# The newest ones: pins are for finding things, and a list of everything finds nothing.
PINS_SHOWN = 100

# People in one group, admin and all.
MAX_MEMBERS = 50
# Open invites that one person may have, and may have sent; answered ones are shown beside those
# sent as far as there is room.
MAX_INVITES = 200
CONVERSATIONS_A_PAGE = 50
CONVERSATIONS_A_PAGE_AT_MOST = 100
