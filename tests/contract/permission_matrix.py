"""Who may do what: every URL name times every kind of caller, and the expected status.

In a path or body, `{name}` is something that Elsa owns; `elsas_objects.py` creates it when a row
names it. Columns: nobody, Elsa (the owner), her friend Bo, Alva (a stranger at the same school),
Zoe of another school, and Elsa suspended.
"""

from typing import Any

from tests.contract.rows import Row, elsas, own, public
from tests.contract.school_rows import SCHOOL_DATA

LAYOUT = {"layout": {"version": 1, "widgets": []}}
NOTE = {"title": "Biologi", "content": "Läs om fotosyntesen."}
PUSH: dict[str, Any] = {
    "endpoint": "https://updates.push.services.mozilla.com/wpush/v2/gAAAA",
    "keys": {
        # The public key and the secret of the example in RFC 8291.
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpk"
        "NtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    },
}
COUNTDOWN = {"title": "Prov", "targetDate": "2027-05-11"}

MATRIX: dict[str, list[Row]] = {
    # --- The service itself, signing in, profiles, the account.
    "home": [public("GET", "/", 302)],
    "web-app-start": [public("GET", "/app", 302)],
    "web-app": [public("GET", "/app/")],
    "web-app-page": [
        public("GET", "/app/messages"),
        public("GET", "/app/assets/missing.js", 404),
    ],
    "favicon": [public("GET", "/favicon.ico")],
    "robots": [public("GET", "/robots.txt")],
    # CONTACT is not set by default.
    "security-contact": [public("GET", "/.well-known/security.txt", 404)],
    "admin-redirect": [public("GET", "/admin", 302)],
    "healthz": [public("GET", "/healthz")],
    "readyz": [public("GET", "/readyz")],
    # METRICS is off by default.
    "metrics": [public("GET", "/metrics", 404)],
    "schema": [public("GET", "/api/schema")],
    "event_schema": [public("GET", "/api/schema/events")],
    "docs": [public("GET", "/api/docs")],
    "version": [public("GET", "/api/version")],
    "stats": [public("GET", "/api/stats")],
    "stats-page": [public("GET", "/stats")],
    "schools": [public("GET", "/api/schools")],
    "login": [public("POST", "/api/login", 400, {})],
    "v2-initiate": [public("POST", "/api/v2/initiate", 400, {})],
    "v2-methods": [public("GET", "/api/v2/methods?school=granskolan&kind=student")],
    "v2-authorize": [public("GET", "/api/v2/authorize?school=granskolan&kind=student", 303)],
    "v2-callback": [
        public("GET", "/api/v2/callback", 303),
        public("POST", "/api/v2/callback", 400, {}),
    ],
    "logout": [public("POST", "/api/logout")],
    "v2-token-refresh": [own("POST", "/api/v2/token-refresh")],
    "token": [own("POST", "/api/token")],
    "refresh": [own("POST", "/api/refresh")],
    "session": [own("GET", "/api/session")],
    "sessions": [own("GET", "/api/sessions"), own("DELETE", "/api/sessions")],
    "account": [own("DELETE", "/api/account", 400, {})],
    "account-export": [own("GET", "/api/account/export")],
    "profile": [own("GET", "/api/profile"), own("PUT", "/api/profile", 200, {"bio": "Hej"})],
    "profile-picture": [
        own("POST", "/api/profile/picture", 400, {}),
        own("DELETE", "/api/profile/picture"),
    ],
    "pfp-upload": [own("POST", "/api/pfp-upload", 400, {})],
    "picture": [Row("GET", "{picture}", 200, 200, 200, 200, 200, 404)],
    "sessions-entry": [elsas("DELETE", "/api/sessions/{session}")],
    **SCHOOL_DATA,
    # --- People and conversations.
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
    "search": [own("GET", "/api/search?q=elsa")],
    "user-search": [own("GET", "/api/users/search?q=elsa")],
    "person": [
        own("GET", "/api/profile/elsa.nordvall"),
        Row("GET", "/api/profile/{who_blocked_alva}", 401, 200, 200, 404, 200, 403),
    ],
    "reports": [
        own("GET", "/api/reports"),
        own("POST", "/api/reports", 201, {"type": "profile", "id": "{teacher}", "reason": "spam"}),
        Row(
            *("POST", "/api/reports", 401, 201, 201, 201, 201, 403),
            {"type": "profile", "id": "{who_blocked_alva}", "reason": "bullying"},
        ),
    ],
    "sync": [own("POST", "/api/sync", 200, {"conversations": {"{conversation}": 0}})],
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
    # --- Notifications.
    "notifications": [own("GET", "/api/notifications")],
    "notifications-read": [own("POST", "/api/notifications/read", 200, {"all": True})],
    "notification-settings": [
        own("GET", "/api/notifications/settings"),
        own("PATCH", "/api/notifications/settings", 200, {"preview": False}),
    ],
    "notification": [elsas("DELETE", "/api/notifications/{notification}")],
    "push-key": [own("GET", "/api/push/key")],
    "push-subscriptions": [
        own("GET", "/api/push/subscriptions"),
        own("POST", "/api/push/subscriptions", 201, PUSH),
    ],
    "push-subscription": [elsas("DELETE", "/api/push/subscriptions/{subscription}")],
    "push-test": [elsas("POST", "/api/push/subscriptions/{subscription}/test")],
    # --- Notes, shared pages, countdowns, the layout.
    "notes": [
        own("GET", "/api/notes"),
        own("POST", "/api/notes", 201, NOTE),
        elsas("PATCH", "/api/notes?id={note}", body={"title": "Kemi"}),
        elsas("DELETE", "/api/notes?id={note}"),
    ],
    "note": [
        elsas("GET", "/api/notes/{note}"),
        elsas("PUT", "/api/notes/{note}", body=NOTE),
        elsas("PATCH", "/api/notes/{note}", body={"title": "Kemi"}),
        elsas("DELETE", "/api/notes/{note}"),
    ],
    "note-share": [
        elsas("POST", "/api/notes/{note}/share", 201),
        elsas("DELETE", "/api/notes/{note}/share"),
    ],
    # For everyone who has the link, until its owner is suspended.
    "note-shared": [
        Row("GET", "/api/notes/shared/{share_token}", 200, 200, 200, 200, 200, 404),
        public("GET", "/api/notes/shared/nobody", 404),
    ],
    # Needs no account, so a suspended one changes nothing but that its own notes are gone.
    "note-shared-report": [
        Row(
            *("POST", "/api/notes/shared/{share_token}/report", 201, 201, 201, 201, 201, 404),
            {"reason": "spam"},
        ),
        public("POST", "/api/notes/shared/nobody/report", 404, {"reason": "spam"}),
    ],
    # The form is the same for every token.
    "shared-note-report": [
        public("GET", "/shared/nobody/report"),
        public("POST", "/shared/nobody/report", 400, {}),
    ],
    "shared-note": [
        Row("GET", "/shared/{share_token}", 200, 200, 200, 200, 200, 404),
        public("GET", "/shared/nobody", 404),
    ],
    "countdowns": [
        own("GET", "/api/countdowns"),
        own("POST", "/api/countdowns", 201, COUNTDOWN),
        elsas("PATCH", "/api/countdowns?id={countdown}", body={"pinned": True}),
        elsas("DELETE", "/api/countdowns?id={countdown}"),
    ],
    "countdown": [
        elsas("PATCH", "/api/countdowns/{countdown}", body={"pinned": True}),
        elsas("DELETE", "/api/countdowns/{countdown}"),
    ],
    "layout": [own("GET", "/api/layout"), own("PUT", "/api/layout", body=LAYOUT)],
}
