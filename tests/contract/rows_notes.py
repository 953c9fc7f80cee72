"""Notes, shared pages, countdowns, the layout."""

from tests.contract.matrix import Row, elsas, own

LAYOUT = {"layout": {"version": 1, "widgets": []}}
COUNTDOWN = {"title": "Prov", "targetDate": "2027-05-11"}

ROWS: dict[str, list[Row]] = {
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
