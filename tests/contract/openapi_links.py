"""OpenAPI links from one response to the next request, so that objects exist."""

COUNTDOWN = "$response.body#/countdown/id"
NOTE = "$response.body#/note/id"
LISTED_NOTE = "$response.body#/notes/0/id"
SHARE_TOKEN = "$response.body#/token"
LISTED_COUNTDOWN = "$response.body#/countdowns/0/id"
CONVERSATION = "$response.body#/conversation/id"
MESSAGE = {
    "conversation_id": "$response.body#/message/conversationId",
    "message_id": "$response.body#/message/id",
}
# Method and path, the next operation, and its parameters from the response.
LINKS = (
    ("get", "/api/sessions", "sessions_end", {"session_id": "$response.body#/sessions/0/id"}),
    ("get", "/api/subjects", "subject", {"room": "$response.body#/subjects/0/id"}),
    ("get", "/api/assignments/week", "assignment", {"number": "$response.body#/data/0/id"}),
    (
        "post",
        "/api/schedule/feed",
        "feed",
        {"token": r"$response.body#/url#regex:/feeds/([^.]+)\.ics"},
    ),
    ("post", "/api/notes", "note", {"note_id": NOTE}),
    ("post", "/api/notes", "note_put", {"note_id": NOTE}),
    ("post", "/api/notes", "note_change", {"note_id": NOTE}),
    ("post", "/api/notes", "note_change_by_query", {"id": NOTE}),
    ("post", "/api/notes", "note_share", {"note_id": NOTE}),
    ("post", "/api/notes/{note_id}/share", "note_shared", {"token": SHARE_TOKEN}),
    ("get", "/api/notes", "note_unshare", {"note_id": LISTED_NOTE}),
    ("get", "/api/notes", "note_remove", {"note_id": LISTED_NOTE}),
    ("get", "/api/notes", "note_remove_by_query", {"id": LISTED_NOTE}),
    ("post", "/api/conversations", "conversation_send", {"conversation_id": CONVERSATION}),
    ("post", "/api/conversations", "message_send", {"conversation_id": CONVERSATION}),
    ("post", "/api/conversations", "messages", {"conversation_id": CONVERSATION}),
    ("post", "/api/conversations/{conversation_id}/messages", "message_change", MESSAGE),
    ("post", "/api/conversations/{conversation_id}/messages", "message_delete", MESSAGE),
    ("post", "/api/countdowns", "countdown_change", {"countdown_id": COUNTDOWN}),
    ("post", "/api/countdowns", "countdown_change_by_query", {"id": COUNTDOWN}),
    ("get", "/api/countdowns", "countdown_remove", {"countdown_id": LISTED_COUNTDOWN}),
    ("get", "/api/countdowns", "countdown_remove_by_query", {"id": LISTED_COUNTDOWN}),
    (
        "post",
        "/api/profile/picture",
        "picture",
        {"name": r"$response.body#/url#regex:/media/([^.]+)\.webp"},
    ),
)
