"""The school's own data. 412 begins the numbers of the class of Elsa and Bo."""

from tests.contract.permission_rows import Row, own, public

ROWS: dict[str, list[Row]] = {
    "schedule": [own("GET", "/api/schedule?week=11")],
    "lunch": [own("GET", "/api/lunch?week=11")],
    "news": [own("GET", "/api/news")],
    "subjects": [own("GET", "/api/subjects")],
    "subject": [Row("GET", "/api/subjects/41204", 401, 200, 200, 404, 404, 403)],
    "assignments-week": [own("GET", "/api/assignments/week?week=11&year=2026")],
    "assignment": [
        Row("GET", "/api/assignment/41205830", 401, 200, 200, 404, 404, 403),
        Row("GET", "/api/assignment/412007?type=planning", 401, 200, 200, 404, 404, 403),
    ],
    "class": [own("GET", "/api/people/class")],
    "schedule-calendar": [own("GET", "/api/schedule.ics?week=11")],
    "schedule-feed": [
        own("GET", "/api/schedule/feed"),
        own("POST", "/api/schedule/feed", 201),
        own("DELETE", "/api/schedule/feed"),
    ],
    "feed": [public("GET", "/feeds/nobody.ics", 404)],
}
