"""The rows of school data. 412 starts the numbers of the class of Elsa and Bo."""

from tests.contract.rows import Row, own, public

TICK = {"done": True}

SCHOOL_DATA: dict[str, list[Row]] = {
    "children": [own("GET", "/api/children", 403)],
    "children-default": [own("PUT", "/api/children/default", 403, {"id": None})],
    "schedule": [own("GET", "/api/schedule?week=11")],
    "lunch": [own("GET", "/api/lunch?week=11")],
    "news": [own("GET", "/api/news")],
    "articles": [own("GET", "/api/news/articles")],
    # The letter of class 8C.
    "article": [Row("GET", "/api/news/580412", 401, 200, 200, 404, 404, 403)],
    "article-file": [
        Row("GET", "/api/news/580412/attachments/5804120", 401, 200, 200, 404, 404, 403)
    ],
    # The fourth of Elsa's messages.
    "inbox": [own("GET", "/api/inbox")],
    "inbox-message": [Row("GET", "/api/inbox/73021404", 401, 200, 404, 404, 404, 403)],
    "inbox-file": [
        Row("GET", "/api/inbox/73021404/attachments/730214040", 401, 200, 404, 404, 404, 403)
    ],
    "features": [own("GET", "/api/features")],
    "school-staff": [own("GET", "/api/school/staff?q=ekvik")],
    # The files of each school are for everybody there.
    "files": [own("GET", "/api/files")],
    "file": [Row("GET", "/api/files/415501", 401, 200, 200, 200, 404, 403)],
    "subjects": [own("GET", "/api/subjects")],
    "subject": [Row("GET", "/api/subjects/41204", 401, 200, 200, 404, 404, 403)],
    "assignments-week": [own("GET", "/api/assignments/week?week=11&year=2026")],
    "assignment": [
        Row("GET", "/api/assignment/41205830", 401, 200, 200, 404, 404, 403),
        Row("GET", "/api/assignment/412007?type=planning", 401, 200, 200, 404, 404, 403),
    ],
    "assignment-done": [
        Row("PUT", "/api/assignments/41205830/done", 401, 200, 200, 404, 404, 403, TICK),
    ],
    "attendance": [own("GET", "/api/attendance?week=11")],
    "calendar": [own("GET", "/api/calendar?include=exams")],
    "exams": [own("GET", "/api/exams")],
    "missing": [own("GET", "/api/missing")],
    "results": [own("GET", "/api/results?limit=1")],
    "plannings-week": [own("GET", "/api/plannings/week?week=11&year=2026")],
    "planning": [Row("GET", "/api/plannings/4120071", 401, 200, 200, 404, 404, 403)],
    "planning-file": [
        Row("GET", "/api/plannings/4120071/attachments/41200711", 401, 200, 200, 404, 404, 403)
    ],
    # The first of Elsa's.
    "assessments": [own("GET", "/api/assessments")],
    "assessment": [Row("GET", "/api/assessments/73021400", 401, 200, 404, 404, 404, 403)],
    "class": [own("GET", "/api/people/class")],
    "schedule-calendar": [own("GET", "/api/schedule.ics?week=11")],
    "schedule-feed": [
        own("GET", "/api/schedule/feed"),
        own("POST", "/api/schedule/feed", 201),
        own("DELETE", "/api/schedule/feed"),
    ],
    "schedule-changes": [own("GET", "/api/schedule/changes?since=0")],
    "watch": [own("GET", "/api/watch")],
    "feed": [public("GET", "/feeds/nobody.ics", 404)],
}
