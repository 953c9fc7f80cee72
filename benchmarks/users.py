"""The users of a benchmark: accounts of the fake upstream, logged in through the service."""

import http.client
import json
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.closed_loop import CouldNotRun, Request
from benchmarks.fake_upstream.answers import SCHOOLS, organization_id, user_id, username
from benchmarks.fake_upstream.documents import ASSIGNMENT, DISH, FIRST_ROOM
from benchmarks.fake_upstream.lessons import owner_mark

SCHOOL = SCHOOLS[0]
WEEKS = range(1, 54)


@dataclass(frozen=True)
class User:
    """A logged-in account: its number and the `Cookie` header that the service gave it."""

    number: int
    cookie: str
    guardian: bool = False

    @property
    def mark(self) -> str:
        """A text that only this account's data contain."""
        return owner_mark(user_id(username(self.number))).decode()

    def schedule(self, week: int) -> Request:
        """The request for a week; only an answer with this account's lessons is right."""
        return Request(f"/api/schedule?week={week}", cookie=self.cookie, expect=self.mark)

    @property
    def organization_id(self) -> int:
        """The id of the school, with which the account shares the school's cache entries."""
        return organization_id(username(self.number))

    def news(self) -> Request:
        """The request for the news; one of them has the account's mark."""
        return Request("/api/news", cookie=self.cookie, expect=self.mark)

    def subjects(self) -> Request:
        """The request for all rooms; each has the account's mark."""
        return Request("/api/subjects", cookie=self.cookie, expect=self.mark)

    def lunch(self, week: int) -> Request:
        """The request for a menu, which is the same for everyone."""
        return Request(f"/api/lunch?week={week}", cookie=self.cookie, expect=DISH)

    def everything(self) -> list[Request]:
        """One request for each route of school data."""
        paths = (
            f"/api/subjects/{FIRST_ROOM}",
            "/api/assignments/week?week=12",
            f"/api/assignment/{ASSIGNMENT}",
            "/api/people/class",
        )
        personal = [Request(path, cookie=self.cookie, expect=self.mark) for path in paths]
        calendar = Request("/api/schedule.ics", cookie=self.cookie, expect="BEGIN:VEVENT")
        known = [self.schedule(2), self.lunch(2), self.news(), self.subjects()]
        return [*known, *personal, calendar]

    def lessons_upstream(self, week: int) -> Request:
        """The request for the same week to upstream directly."""
        path = f"/{SCHOOL}/rest-api/student/calendar/lessons/week/{week}"
        encoded = username(self.number).encode().hex().upper()
        return Request(path, cookie=f"JSESSIONID={encoded}; hash=0; usertype=1", expect=self.mark)


def version_request() -> Request:
    """`GET /api/version`: the cheapest route."""
    return Request("/api/version", expect='"api"')


def login_request(number: int, school: str = SCHOOL, *, guardian: bool = False) -> Request:
    """`POST /api/login` of account `number`; only an answer that names it is right."""
    name = username(number, guardian=guardian)
    body = json.dumps({"username": name, "password": "correct horse", "school": school})
    return Request("/api/login", method="POST", body=body, expect=name)


def log_in(
    port: int, numbers: range, school: str = SCHOOL, *, guardians: bool = False
) -> list[User]:
    """Log these accounts in, one after another. `guardians`: each has one child.

    Raises:
        CouldNotRun: one of them was refused or got no cookies.
    """
    return list(_logged_in(port, numbers, school, guardian=guardians))


def _logged_in(port: int, numbers: range, school: str, *, guardian: bool) -> Iterator[User]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        for number in numbers:
            request = login_request(number, school, guardian=guardian)
            headers = {"Content-Type": "application/json"}
            connection.request("POST", request.path, body=request.body, headers=headers)
            response = connection.getresponse()
            body = response.read()
            given = response.msg.get_all("Set-Cookie") or []
            cookie = "; ".join(line.partition(";")[0] for line in given)
            if response.status != 200 or request.expect.encode() not in body or not cookie:
                output = body[:300].decode(errors="replace")
                raise CouldNotRun(f"login of account {number}: {response.status} {output}")
            yield User(number, cookie, guardian)
    except OSError as error:
        raise CouldNotRun(f"login: {error}") from error
    finally:
        connection.close()


def each_week_once(users: list[User]) -> list[Request]:
    """Every week of every user once, except the first, which is for warming up.

    Neighbours in the list are different users, so that one account has no concurrent requests.
    """
    return [user.schedule(week) for week in WEEKS[1:] for user in users]
