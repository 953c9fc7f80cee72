"""The responses of the fake upstream, written from the protocol without the client's code.

It has no state: codes, tokens and cookies encode the user name that they belong to, so that any
number of accounts costs no memory and different cookies are different accounts. It checks neither
password nor PKCE; `upstream/simulator`, which the tests use, does.
"""

import json
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from benchmarks.fake_upstream import documents
from benchmarks.fake_upstream.lessons import week_for
from benchmarks.fake_upstream.pages import class_page, start_page

SCHOOLS = ["bjorkdalen", "nyvang"]
FIRST_USER_ID = 100_000
# Accounts that share a school, and so its cache entries. A slug has many such schools.
ACCOUNTS_A_SCHOOL = 10
# The first part of a guardian's name. Each has one child, with the same number.
GUARDIANS = "parent"
JSON = b"application/json;charset=UTF-8"
PAGE = b"text/html; charset=ISO-8859-1"

_LESSONS = "/calendar/lessons/week/"


def username(number: int, *, guardian: bool = False) -> str:
    """The username of account `number`, 0 to 899,999."""
    return f"{GUARDIANS if guardian else 'bench'}.{number:06d}"


def user_id(name: str) -> int:
    """The upstream id of a username."""
    return FIRST_USER_ID + int(name.rpartition(".")[2])


def organization_id(name: str) -> int:
    """The upstream id of the school of a username."""
    return 41 + (user_id(name) - FIRST_USER_ID) // ACCOUNTS_A_SCHOOL


class Call(NamedTuple):
    """A request: the path without its query, the raw header lines, the body."""

    path: str
    headers: bytes
    body: bytes


class Answers:
    """Turns a parsed request into the bytes of an answer, and counts calls by kind."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()

    def answer(self, method: str, path: str, headers: bytes, body: bytes) -> tuple[str, bytes]:
        """The kind of call (as counted) and the whole answer in one piece."""
        kind, make = _route(method, path)
        self.calls[kind] += 1
        try:
            return kind, make(Call(path, headers, body))
        except (KeyError, ValueError, IndexError):
            return kind, _http(b"401 Unauthorized", b'{"error":"Unauthorized"}')


def _http(status: bytes, body: bytes, *, content_type: bytes = JSON, more: bytes = b"") -> bytes:
    head = b"HTTP/1.1 %b\r\nContent-Type: %b\r\nContent-Length: %d\r\n%b\r\n"
    return head % (status, content_type, len(body), more) + body


def _ok(document: object) -> bytes:
    return _http(b"200 OK", json.dumps(document, ensure_ascii=False).encode())


def _header(headers: bytes, name: bytes) -> bytes:
    """The value of a header; `name` in lower case. KeyError when it is not there."""
    for line in headers.split(b"\r\n"):
        key, _, value = line.partition(b":")
        if key.strip().lower() == name:
            return value.strip()
    raise KeyError(name)


def _name_in_cookie(headers: bytes) -> str:
    for part in _header(headers, b"cookie").split(b";"):
        key, _, value = part.strip().partition(b"=")
        if key == b"JSESSIONID":
            return bytes.fromhex(value.decode()).decode()
    raise KeyError("JSESSIONID")


def _lessons(call: Call) -> bytes:
    week = int(call.path.rpartition("/")[2])
    return _http(b"200 OK", week_for(week, user_id(_name_in_cookie(call.headers))))


def _document(call: Call) -> bytes:
    return _http(b"200 OK", documents.document(call.path, user_id(_name_in_cookie(call.headers))))


def _start_page(call: Call) -> bytes:
    page = start_page(user_id(_name_in_cookie(call.headers)))
    return _http(b"200 OK", page, content_type=PAGE)


def _class_page(call: Call) -> bytes:
    page = class_page(user_id(_name_in_cookie(call.headers)))
    return _http(b"200 OK", page, content_type=PAGE)


def _session(call: Call) -> bytes:
    name = _name_in_cookie(call.headers)
    return _ok(
        {
            "app": False,
            "superUser": False,
            "theme": "light",
            "organization": {
                "id": organization_id(name),
                "name": "Björkdalsskolan",
                "school": True,
            },
            "language": {"langId": 1, "langCode": "sv"},
            "userType": (
                {"id": 3, "name": "guardian"}
                if name.startswith(GUARDIANS)
                else {"id": 1, "name": "student"}
            ),
            "user": {
                "id": user_id(name),
                "firstName": "Elsa",
                "lastName": f"Nordvall {name[-6:]}",
                "userName": name.capitalize(),
                "email": f"{name}@elev.example",
            },
        }
    )


def _parent_header(call: Call) -> bytes:
    name = _name_in_cookie(call.headers)
    school = {"orgId": organization_id(name), "name": "Björkdalsskolan", "className": "8C"}
    child = {"id": user_id(name), "firstName": "Elsa", "lastName": name[-6:], "schools": [school]}
    return _ok(
        {
            "firstName": "Gun",
            "lastName": name[-6:],
            "children": [child],
            "currentChildId": child["id"],
            "currentOrgId": school["orgId"],
        }
    )


def _switch_child(_: Call) -> bytes:
    return _http(b"200 OK", b"")


def _authorize(call: Call) -> bytes:
    data = json.loads(call.body)
    code = data["username"].lower().encode().hex()
    return _ok({"code": code, "state": data["state"], "redirect_uri": data["redirect_uri"]})


def _token(call: Call) -> bytes:
    token = f"token-{json.loads(call.body)['code']}"
    return _ok({"access_token": token, "token_type": "Bearer", "expires_in": 2_592_000})


def _translate(call: Call) -> bytes:
    encoded = _header(call.headers, b"authorization").decode().rpartition("-")[2]
    user_id(bytes.fromhex(encoded).decode())  # an unknown token is refused
    usertype = 3 if bytes.fromhex(encoded).decode().startswith(GUARDIANS) else 1
    cookies = (
        f"Set-Cookie: JSESSIONID={encoded.upper()}; Path=/; HttpOnly; Secure\r\n"
        f"Set-Cookie: hash={encoded[::-1]}; Path=/\r\n"
        f"Set-Cookie: usertype={usertype}; Path=/\r\n"
    )
    return _http(b"200 OK", b"{}", more=cookies.encode())


def _schools(_: Call) -> bytes:
    """Without the numbers of the schools of a slug, which are too many: the service keeps the one
    that it sees first for an account."""
    rows = [
        {"name": f"Skolan {slug}", "evaUrl": f"http://127.0.0.1/{slug}/eva"} for slug in SCHOOLS
    ]
    return _ok(rows)


def _schools_with_methods(_: Call) -> bytes:
    rows = [
        {
            "name": f"Skolan {slug}",
            "url": f"http://127.0.0.1/{slug}/",
            "studentLoginMethods": "0,4",
            "teacherLoginMethods": "4",
            "parentLoginMethods": "",
        }
        for slug in SCHOOLS
    ]
    return _ok(rows)


def _not_found(_: Call) -> bytes:
    page = b"<html><body>404</body></html>"
    return _http(b"404 Not Found", page, content_type=PAGE)


_ROUTES: list[tuple[str, str, str, Callable[[Call], bytes]]] = [
    # method, end of the path, kind, handler
    ("GET", "/rest-api/session", "session", _session),
    ("POST", "/rest-api/login/student/password", "password", _authorize),
    ("POST", "/rest-api/login/token", "token", _token),
    ("POST", "/rest-api/login/session", "translate", _translate),
    ("GET", "/rest-api/parent/header/parent", "child", _parent_header),
    ("PUT", "/rest-api/parent/header/parent", "switch", _switch_child),
    ("GET", "/jsp/student/right_student_startpage.jsp", "news", _start_page),
    ("GET", "/jsp/student/right_student_class.jsp", "class", _class_page),
    ("GET", "/internal/rest-api/login/schoollist", "schools", _schools),
    ("GET", "/rest/app/schoollist/prod", "schools", _schools_with_methods),
]


def _route(method: str, path: str) -> tuple[str, Callable[[Call], bytes]]:
    """The kind of call and its handler."""
    if method == "GET" and _LESSONS in path:
        return "lessons", _lessons
    kind = documents.kind_of(path) if method == "GET" else None
    if kind is not None:
        return kind, _document
    for verb, ending, kind, make in _ROUTES:
        if method == verb and path.endswith(ending):
            return kind, make
    return "unknown", _not_found
