"""The limits of this app. `RATE_LIMITS=off` lifts the rate limits only."""

from dataclasses import dataclass

from limits import RateLimit

# Rate limits, by person. An edit, a pin and a reaction count as a message.
MESSAGES = RateLimit("messages", 30, 30)
SEARCH = RateLimit("search", 30, 60, fails_open=False)
FRIEND_REQUESTS = RateLimit("friend_requests", 30, 60 * 60)
# To one person, however the requests before ended: a request shows the sender's name.
REQUESTS_TO_ONE = RateLimit("friend_requests_to_one", 3, 30 * 24 * 60 * 60)
INVITES = RateLimit("invites", 30, 60 * 60)
# By one person to one other, into whichever group: each invite can have another text.
INVITES_TO_ONE = RateLimit("invites_to_one", 5, 24 * 60 * 60)
# Direct conversations with people who are not friends.
NEW_DMS = RateLimit("new_dms", 20, 24 * 60 * 60)
NEW_GROUPS = RateLimit("new_groups", 20, 60 * 60)
REPORTS = RateLimit("reports", 20, 60 * 60)
NEW_SOCKETS = RateLimit("new_sockets", 60, 60)
# By address: sockets that nobody is signed in to.
SOCKETS_WITHOUT_SESSION = RateLimit("sockets_without_session", 60, 60, fails_open=False)
# By address: reports of shared notes by visitors without an account.
NOTE_REPORTS = RateLimit("note_reports", 5, 60 * 60, fails_open=False)


@dataclass(frozen=True, slots=True)
class SocketLimits:
    """The limits of one socket. Times are seconds."""

    frame_bytes: int = 64 * 1024
    frames: int = 100
    frames_seconds: float = 60.0
    # Five minutes: a client pings about once a minute, and a browser slows a hidden tab's timers.
    silence_seconds: float = 300.0
    # Frames that may wait to be written; a client that is further behind is closed.
    waiting_frames: int = 200
    # A client must read one frame in this time.
    write_seconds: float = 20.0
    # What waits already when a socket is closed is dropped after this time.
    flush_seconds: float = 0.5
    # `typing` of one conversation is passed on at most once in this time.
    typing_seconds: float = 2.0
    # After this time a frame also checks whether the session has ended: the event can be lost.
    recheck_seconds: float = 60.0
    # The eight seconds of a call to upstream, and the wait for a free thread.
    sign_in_seconds: float = 15.0


SOCKET_LIMITS = SocketLimits()

# Of one sync: conversations that a client may name, that an answer holds, and their messages.
SYNC_KNOWN = 500
SYNC_CONVERSATIONS = 500
SYNC_MESSAGES = 200

# Sockets that sign in at the same time: each needs a thread, and perhaps a call to upstream.
SIGN_IN_THREADS = 16
# Batches of events that wait in one process while the channel layer is slow; more are dropped.
WAITING_BATCHES = 1_000
# How long a batch may take; its events are lost then, and clients catch up by REST.
SEND_SECONDS = 5.0

# How many of each a person may have. Received requests count separately, so that many of them
# do not keep anybody from sending requests.
MAX_FRIENDS = 500
MAX_RECEIVED = 500
MAX_BLOCKS = 500

# For how long an adult who is no friend may answer a message of a pupil.
ANSWER_DAYS = 30
# For how long somebody whose request was declined cannot ask the same person again.
ASK_AGAIN_DAYS = 30

# A heartbeat is stored when the last one is older.
HEARTBEAT_SECONDS = 60
# Ages of the last heartbeat, from the specification.
IDLE_AFTER_SECONDS = 3 * 60
OFFLINE_AFTER_SECONDS = 15 * 60
# People in one presence query.
MAX_PRESENCES = 100

# Code points of a search text, the most people in a result, and how many matches of other schools
# are compared to find the best.
SEARCH_MIN = 2
SEARCH_MAX = 100
SEARCH_FOUND = 20
SEARCH_COMPARED = 500
# Results in a page of a search of messages and notes; code points of the text that is shown of one,
# of these before the first word that was found, and of a text in which words are looked for.
RESULTS_A_PAGE = 20
RESULTS_A_PAGE_AT_MOST = 50
EXCERPT_LENGTH = 160
EXCERPT_BEFORE = 40
EXCERPT_READ = 20_000

# Code points of a message, and of the base64 of an encrypted one.
TEXT_LENGTH = 2_000
CIPHERTEXT_LENGTH = 8_192
QUOTE_LENGTH = 200
PREVIEW_LENGTH = 120
DIFFERENT_EMOJI = 20
# People whom one message names; names after these are only text.
MENTIONS = 10
EDIT_WINDOW_HOURS = 24
# Edits of one message, and changes of the texts of one group in fourteen days: what stood there
# before is kept for a report, all of it.
MESSAGE_EDITS = 20
GROUP_CHANGES = 100
# Messages that are returned with a conversation, and in a page.
RECENT_MESSAGES = 60
MESSAGES_A_PAGE = 30
MESSAGES_A_PAGE_AT_MOST = 100
# The newest pinned messages.
PINS_SHOWN = 100

# People in one group, its admin included.
MAX_MEMBERS = 50
# Of the value by which clients of an encrypted group tell a wrong key.
MAX_KEY_CHECK = 128
# Open invites that one person may have received, and may have sent. The list of sent ones is
# filled up to this with answered ones.
MAX_INVITES = 200
# How long a person who declined is not asked again: into that group by anybody, and into any group
# by the same sender.
DECLINED_GROUP_DAYS = 30
DECLINED_SENDER_HOURS = 24
CONVERSATIONS_A_PAGE = 50
# The newest of one's own reports.
REPORTS_LISTED = 200
CONVERSATIONS_A_PAGE_AT_MOST = 100
