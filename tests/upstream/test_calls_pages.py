"""Pages over a real socket: what each response means for the caller."""

from collections.abc import Callable, Iterable

import pytest

from tests.upstream.conftest import SCHOOL
from tests.upstream.raw_server import Piece, RawServer, Received, always, http, in_turn
from tests.upstream.saved import saved
from upstream.calls import people
from upstream.calls.lunch import fetch_lunch
from upstream.calls.news import fetch_news
from upstream.calls.people import fetch_class
from upstream.client import UpstreamClient
from upstream.endpoints import START_PAGE
from upstream.errors import (
    NotForThisRole,
    PageHidden,
    SessionDead,
    UpstreamChanged,
    UpstreamFailing,
    UpstreamInvalid,
    UpstreamNotFound,
)
from upstream.records import ProvenSession
from upstream.set_cookie import cookie_header

ALIVE = http(b'{"user":{"id":1}}')
HTML = "text/html; charset=ISO-8859-1"
News = Callable[[], list[str]]
Names = Callable[[], list[tuple[str, str | None]]]


def page(name: str, kind: str = HTML) -> bytes:
    return http(saved(name).body, kind=kind)


@pytest.fixture(autouse=True)
def not_found_by_default(server: RawServer) -> None:
    server.script = always(http(b"", status=404))


@pytest.fixture
def news(client: UpstreamClient, web: ProvenSession) -> News:
    """The titles of the news."""
    return lambda: [item.title for item in fetch_news(client, web=web)]


@pytest.fixture
def names(client: UpstreamClient, web: ProvenSession) -> Names:
    """The pupils and their classes."""
    return lambda: [(pupil.name, pupil.class_name) for pupil in fetch_class(client, web=web)]


# --- Any page ------------------------------------------------------------------------------------


def test_a_page_request_has_cookies_and_accepts_html(
    news: News, server: RawServer, web: ProvenSession
) -> None:
    server.script = always(page("start_box_without_td.html"))
    assert news() == ["Läsårsdata för hösten", "Nya låsskåp"]
    received = server.requests[0]
    assert received.target == f"/{SCHOOL}{START_PAGE}"
    assert received.headers["cookie"] == cookie_header(web)
    assert received.headers["accept"] == "text/html"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("start_utf8.html", "text/html;charset=UTF-8"),
        ("start_utf8.html", 'text/html; charset="utf-8"'),
        ("start_utf8.html", "text/html; charset = utf-8, text/html; charset=ISO-8859-1"),
        ("start_box.html", "text/html; charset=ISO-8859-1"),
        ("start_box.html", "text/html"),
        ("start_box.html", ""),
    ],
)
def test_the_header_gives_the_charset(news: News, server: RawServer, name: str, kind: str) -> None:
    server.script = always(page(name, kind))
    assert "–" in news()[0]


@pytest.mark.parametrize(
    ("response", "error"),
    [
        (http(status=401), SessionDead),
        (http(status=302, Location="Login.jsp"), SessionDead),
        (http(status=302, Location="https://x.example/b/samlLogin.jsp"), SessionDead),
        (http(status=302, Location="/bjorkdalen/html/redirect_login.htm"), SessionDead),
        (page("login.html"), SessionDead),
        (page("blocked.html"), UpstreamChanged),
        (http(status=302, Location="/somewhere.jsp"), UpstreamInvalid),
        (http(b"", kind=HTML), UpstreamChanged),
        (http(b'{"error":"x"}'), UpstreamChanged),
        (http(status=204), UpstreamInvalid),
        (http(b"<h1>404</h1>", status=404, kind=HTML), UpstreamNotFound),
        (http(b"<h1>500</h1>", status=500, kind=HTML), UpstreamFailing),
    ],
)  # fmt: skip
def test_a_response_that_is_not_the_page_is_never_an_empty_list(
    news: News,
    server: RawServer,
    response: bytes,
    error: type[Exception],
) -> None:
    server.script = always(response)
    with pytest.raises(error):
        news()
    assert all("ogin" not in target for target in server.targets), "no redirect is followed"


@pytest.mark.parametrize(
    ("refusal", "error"),
    [
        (http(status=403), NotForThisRole),
        (http(status=302, Location="right_student_app_blocked.jsp"), NotForThisRole),
        (http(status=302, Location="right_student_startpage.jsp?x=1"), PageHidden),
    ],
)
def test_a_refused_page_with_a_valid_session_is_not_for_this_role(
    client: UpstreamClient, server: RawServer, web: ProvenSession, refusal: bytes, error: type
) -> None:
    server.script = in_turn(refusal, ALIVE)
    with pytest.raises(error):
        client.fetch_page(START_PAGE, web=web)
    server.script = in_turn(refusal, http(status=401))
    with pytest.raises(SessionDead):
        client.fetch_page(START_PAGE, web=web)


# --- Lunch ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("refusal", [404, 403])
def test_lunch_without_json_is_read_from_the_page(
    client: UpstreamClient, server: RawServer, web: ProvenSession, refusal: int
) -> None:
    def script(request: Received) -> Iterable[Piece]:
        if "lunchmenu/week" in request.target:
            return (http(status=refusal),)
        return (ALIVE if "session" in request.target else page("lunch_table.html"),)

    server.script = script
    days = fetch_lunch(client, web=web, week=11)
    assert [day.day_id for day in days] == [1, 3]
    assert server.targets[-1].endswith("/jsp/student/right_student_lunchmenu.jsp?requestid=11")


def test_a_failure_of_the_menu_does_not_fall_back_to_the_page(
    client: UpstreamClient, server: RawServer, web: ProvenSession
) -> None:
    server.script = always(http(status=500))
    with pytest.raises(UpstreamFailing):
        fetch_lunch(client, web=web, week=11)
    assert len(server.requests) == 1


# --- Class ---------------------------------------------------------------------------------------


def choices(request: Received) -> Iterable[Piece]:
    if "requestid=" in request.target:
        return (page("class_d_page.html"),)
    return (page("class_d_chooser.html"),)


def test_each_class_of_the_chooser_is_fetched(names: Names, server: RawServer) -> None:
    server.script = choices
    other = "8D – språkval"
    assert names() == [
        ("Nils Bergqvist", "8C"), ("Zoe Åkerman", "8C"),
        ("Nils Bergqvist", other), ("Zoe Åkerman", other),
    ]  # fmt: skip
    queries = {target.partition("?")[2] for target in server.targets[1:]}
    assert queries == {"requestid=801", "requestid=802"}


def test_one_failed_class_fails_the_whole_list(names: Names, server: RawServer) -> None:
    def script(request: Received) -> Iterable[Piece]:
        return (http(status=404),) if "=802" in request.target else choices(request)

    server.script = script
    with pytest.raises(UpstreamNotFound):
        names()


def test_a_page_with_pupils_is_fetched_once(names: Names, server: RawServer) -> None:
    server.script = always(page("class_d_page.html"))
    assert len(names()) == 2
    assert len(server.requests) == 1


def test_the_number_of_fetched_classes_is_limited(names: Names, server: RawServer) -> None:
    links = "".join(f'<li><a href="?requestid={n}">{n}</a></li>' for n in range(99))
    menu = f'<div id="contAll"><ul class="dropdown-menu">{links}</ul></div>'.encode()

    def script(request: Received) -> Iterable[Piece]:
        chosen = "requestid=" in request.target
        return (page("class_d_page.html") if chosen else http(menu, kind=HTML),)

    server.script = script
    assert len(names()) == 2 * people.MAX_CLASSES


@pytest.mark.parametrize("response", ["class_hidden.html", "right_student_startpage.jsp"])
def test_a_hidden_class_list_is_empty(names: Names, server: RawServer, response: str) -> None:
    redirect = not response.endswith("html")
    hidden = http(status=302, Location=response) if redirect else page(response)
    server.script = in_turn(hidden, ALIVE)
    assert names() == []
