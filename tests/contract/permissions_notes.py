"""Notes, shared pages, countdowns, the layout."""

from tests.contract.permission_rows import Row, elsas, own, public

LAYOUT = {"layout": {"version": 1, "widgets": []}}
NOTE = {"title": "Biologi", "content": "Läs om fotosyntesen."}
COUNTDOWN = {"title": "Prov", "targetDate": "2027-05-11"}

ROWS: dict[str, list[Row]] = {
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
    # For whoever has the link, until its owner is suspended.
    "note-shared": [
        Row("GET", "/api/notes/shared/{share_token}", 200, 200, 200, 200, 200, 404),
        public("GET", "/api/notes/shared/nobody", 404),
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
