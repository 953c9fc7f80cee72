"""People and conversations."""

from tests.contract.permission_rows import Row, elsas, own

ROWS: dict[str, list[Row]] = {
    "friends": [
        own("GET", "/api/friends"),
        own("POST", "/api/friends", 201, {"targetUsername": "{teacher}"}),
        elsas("PATCH", "/api/friends", 200, {"friendshipId": "{request}", "action": "accept"}),
        own("DELETE", "/api/friends", 200, {"targetUsername": "{teacher}"}),
        Row("DELETE", "/api/friends?friendshipId={friendship}", 401, 200, 200, 404, 404, 403),
    ],
    "blocks": [
        own("GET", "/api/blocks"),
        own("POST", "/api/blocks", 201, {"targetUsername": "{teacher}"}),
        own("DELETE", "/api/blocks", 200, {"targetUsername": "{teacher}"}),
    ],
    "presence": [
        own("GET", "/api/presence?users=elsa.nordvall"),
        own("PATCH", "/api/presence", 200, {"status": "online"}),
    ],
    "people-search": [own("GET", "/api/people/staff?q=elsa")],
    "user-search": [own("GET", "/api/users/search?q=elsa")],
    "person": [
        own("GET", "/api/profile/elsa.nordvall"),
        Row("GET", "/api/profile/{who_blocked_alva}", 401, 200, 200, 404, 200, 403),
    ],
    "reports": [
        own("POST", "/api/reports", 201, {"type": "profile", "id": "{teacher}", "reason": "spam"}),
        Row(
            *("POST", "/api/reports", 401, 201, 201, 404, 201, 403),
            {"type": "profile", "id": "{who_blocked_alva}", "reason": "bullying"},
        ),
    ],
    "conversations": [
        own("GET", "/api/conversations"),
        # A pupil of another school has to be a friend.
        Row(
            *("POST", "/api/conversations", 401, 201, 201, 201, 403, 403),
            {"targetUsername": "{teacher}"},
        ),
    ],
    "conversation": [
        Row("GET", "/api/conversations/{conversation}", 401, 200, 200, 404, 404, 403),
        Row(
            *("POST", "/api/conversations/{conversation}", 401, 201, 201, 404, 404, 403),
            {"content": "Hej"},
        ),
        Row(
            *("PATCH", "/api/conversations/{conversation}", 401, 200, 200, 404, 404, 403),
            {"action": "mark_read"},
        ),
        Row(
            *("PATCH", "/api/conversations/{group}", 401, 200, 403, 404, 404, 403),
            {"action": "rename", "groupName": "Falkarna"},
        ),
    ],
    "messages": [
        Row("GET", "/api/conversations/{conversation}/messages", 401, 200, 200, 404, 404, 403),
        Row(
            *("POST", "/api/conversations/{conversation}/messages", 401, 201, 201, 404, 404, 403),
            {"content": "Hej"},
        ),
    ],
    "message": [
        Row(
            *("PATCH", "/api/conversations/{message}", 401, 200, 403, 404, 404, 403),
            {"action": "edit", "content": "Hejdå"},
        ),
        Row(
            *("PATCH", "/api/conversations/{message}", 401, 200, 403, 404, 404, 403),
            {"action": "pin"},
        ),
        Row(
            *("PATCH", "/api/conversations/{message}", 401, 200, 200, 404, 404, 403),
            {"action": "react", "emoji": "👍"},
        ),
        Row("DELETE", "/api/conversations/{message}", 401, 200, 403, 404, 404, 403),
    ],
    "group-invites": [
        own("GET", "/api/group-invites"),
        Row(
            *("POST", "/api/group-invites", 401, 201, 403, 404, 404, 403),
            {"conversationId": "{group}", "targetUsername": "{teacher}"},
        ),
        elsas("PATCH", "/api/group-invites", 200, {"inviteId": "{invite}", "accept": True}),
        own("DELETE", "/api/group-invites?inviteId={invite}"),
    ],
}
