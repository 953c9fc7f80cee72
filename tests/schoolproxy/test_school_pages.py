"""What the school has switched on, its staff, and its files and links."""

from typing import Any

import pytest

from tests.conftest import Caller, signed_in
from tests.schoolproxy.conftest import Clock
from tests.schoolproxy.family import ALVA, BO, outcome
from upstream.calls.menu import read_menu
from upstream.errors import UpstreamChanged
from upstream.pages.html import Page
from upstream.pages.library import read_library
from upstream.pages.staff import read_staff
from upstream.simulator.files import content_of
from upstream.simulator.server import Simulator

FILE = "/api/files/415501"
ROUTES = {
    "NEWS": ("/api/news/articles", "/api/news/1", "/api/news/1/attachments/1"),
    "MESSAGES": ("/api/inbox", "/api/inbox/1", "/api/inbox/1/attachments/1"),
    "STAFF_LIST": ("/api/school/staff",),
    "FILE": ("/api/files", FILE),
    "PRESENCE": ("/api/attendance?week=11",),
    "RESULTS": ("/api/results",),
    "REVIEW": ("/api/assessments", "/api/assessments/1"),
}


def features(caller: Caller, query: str = "") -> dict[str, bool | None]:
    answer = caller.get(f"/api/features{query}")
    assert answer.status_code == 200, answer.content
    body: dict[str, bool | None] = answer.json()["features"]
    return body


def html(body: str) -> Page:
    return Page(f'<div class="h2_container">{body}</div>'.encode(), "utf-8")


def test_features_by_address(elsa: Caller, simulator: Simulator) -> None:
    simulator.state.switched_off = {"REVIEW", "STAFF_LIST"}
    assert features(elsa) == {
        "news": True,
        "inbox": True,
        "attendance": True,
        "results": True,
        "assessments": False,
        "plannings": True,
        "staff": False,
        "files": True,
    }
    pages = elsa.get("/api/features").json()["pages"]
    school = f"{simulator.url}/bjorkdalen/jsp/student/right_student_"
    assert pages == {
        name: f"{school}{page}.jsp"
        for name, page in zip(
            ("news", "inbox", "staff", "files"),
            ("news", "message", "staff", "library"),
            strict=True,
        )
    }


@pytest.mark.parametrize(
    "menu",
    [None, "", [], {}, [None], [{"sections": None}], [{"sections": [{"items": [7]}]}]],
)
def test_no_menu_says_nothing(menu: Any) -> None:
    assert set(read_menu(menu).values()) == {None}


def test_an_address_elsewhere_with_that_label_says_nothing() -> None:
    item = {"label": "Aktuellt", "url": "https://elsewhere.example/"}
    assert set(read_menu([{"sections": [{"key": "X", "items": [item]}]}]).values()) == {None}


@pytest.mark.parametrize("fault", ["404", "403", "not-json", "empty"])
def test_a_menu_that_is_not_there(elsa: Caller, simulator: Simulator, fault: str) -> None:
    simulator.faults.set("menu", fault)
    assert set(features(elsa).values()) == {None}
    assert elsa.get("/api/news/articles").status_code == 200


def test_they_are_kept_for_an_hour(elsa: Caller, simulator: Simulator, clock: Clock) -> None:
    for seconds in (0, 61, 3500):
        clock(seconds)
        features(elsa)
        assert elsa.get("/api/news/articles").status_code == 200
    assert simulator.requests.count_operation("menu") == 1
    clock(3700)
    features(signed_in())
    assert simulator.requests.count_operation("menu") == 2


@pytest.mark.parametrize("key", [*ROUTES])
def test_what_is_switched_off_is_404(elsa: Caller, simulator: Simulator, key: str) -> None:
    simulator.state.switched_off = {key}
    for name, paths in ROUTES.items():
        for path in paths:
            answer = elsa.get(path)
            off = not answer.streaming and answer.json().get("code") == "switched_off"
            assert off is (name == key), path
            assert answer.status_code == 404 or not off
            answer.close()
    for path in ("/api/news", "/api/schedule?week=11"):
        assert elsa.get(path).status_code == 200


@pytest.mark.parametrize("fault", ["500", "reset", "401"])
def test_a_menu_that_fails_hides_nothing(elsa: Caller, simulator: Simulator, fault: str) -> None:
    simulator.faults.set("menu", fault, times=2)
    status = elsa.get("/api/news/articles").status_code
    assert status == (401 if fault == "401" else 200)


def test_a_menu_that_hangs_is_waited_for_once_a_minute(elsa: Caller, simulator: Simulator) -> None:
    simulator.faults.set("menu", "timeout")
    for path in ("/api/news/articles", "/api/inbox", "/api/files"):
        assert elsa.get(path).status_code == 200
    assert simulator.requests.count_operation("menu") == 1


def test_features_of_two_children(eva: Caller) -> None:
    for child in (BO, ALVA) * 2:
        assert features(eva, f"?child={child}")["news"] is True


def test_staff_are_there_once_with_all_roles(elsa: Caller) -> None:
    staff = elsa.get("/api/school/staff").json()["staff"]
    assert staff[0] == {
        "id": None,
        "name": "Torbjörn Ekvik",
        "firstName": "Torbjörn",
        "lastName": "Ekvik",
        "roles": ["Mentor", "Lärare"],
        "email": "torbjorn.ekvik@bjorkdalen.example",
        "phone": None,
    }
    assert "Namn" not in [one["lastName"] for one in staff]
    assert [one["phone"] for one in staff if one["lastName"] == "Lindroos"] == ["0371-104 21"]
    assert len(staff) == 5


@pytest.mark.parametrize(
    ("words", "found"), [("EKVIK", 1), ("ör", 2), ("rektor görel", 1), ("%", 0), ("å" * 200, 0)]
)
def test_staff_are_searched(elsa: Caller, words: str, found: int) -> None:
    answer = elsa.http.get("/api/school/staff", {"q": words})
    assert len(answer.json()["staff"]) == found


def test_a_search_that_is_too_long_is_refused_and_not_cut(elsa: Caller) -> None:
    answer = elsa.http.get("/api/school/staff", {"q": "ekvik " + "å" * 200})
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["q"])


def test_staff_are_cached_for_the_school(elsa: Caller, simulator: Simulator) -> None:
    for name in ("elsa.nordvall", "bo.ek", "torbjörn.ekvik"):
        assert len(signed_in(name).get("/api/school/staff").json()["staff"]) == 5
    assert simulator.requests.count_operation("staff") == 1
    zoe = signed_in("zoe.åkerman", "nyvang").get("/api/school/staff").json()
    assert "torbjorn.ekvik@nyvang.example" in str(zoe)


def test_files_and_links(elsa: Caller) -> None:
    [section] = elsa.get("/api/files").json()["sections"]
    assert section == {
        "title": "Skolan",
        "categories": [
            {
                "title": "Blanketter",
                "items": [
                    {
                        "id": "415501",
                        "kind": "file",
                        "title": "Ledighetsansökan",
                        "description": "Lämnas till mentor",
                        "sizeText": "60 KB",
                        "url": f"http://testserver{FILE}",
                    },
                    {
                        "id": None,
                        "kind": "link",
                        "title": "Trygghetsplan",
                        "description": "Uppdaterad i augusti",
                        "sizeText": None,
                        "url": "https://bjorkdalen.example/trygghet",
                    },
                ],
            }
        ],
    }


def test_the_bytes_of_a_file(elsa: Caller, simulator: Simulator) -> None:
    answer = elsa.get(FILE)
    assert answer.getvalue() == content_of("x.pdf")
    assert "Ledighetsans%C3%B6kan%202026.pdf" in answer.headers["Content-Disposition"]
    calls = simulator.requests.count_operation("file")
    for number in ("575501", "1", "9" * 20):
        assert outcome(elsa.get(f"/api/files/{number}")) == (404, "not_found")
    assert simulator.requests.count_operation("file") == calls


def test_files_are_not_for_teachers(simulator: Simulator, db: None) -> None:
    torbjorn = signed_in("torbjörn.ekvik")
    for path in ("/api/files", FILE):
        assert outcome(torbjorn.get(path)) == (403, "not_for_this_role")
    assert not simulator.requests.count_operation("library")
    assert torbjorn.get("/api/features").status_code == 200


def test_unknown_pages_name_what_has_changed() -> None:
    with pytest.raises(UpstreamChanged, match="the staff page"):
        read_staff(Page(b"<h1>Nytt</h1>"))
    with pytest.raises(UpstreamChanged, match="the columns of the staff page"):
        read_staff(html("<table><tr class='longlistheader'><td>Vem</td></tr></table>"))
    with pytest.raises(UpstreamChanged, match="the page of files"):
        read_library(Page(b"<h1>Nytt</h1>"))
    with pytest.raises(UpstreamChanged, match="the page of files"):
        read_library(html("<b data-x='right_student_library_download.jsp?requestid=7'></b>"))
    assert read_library(html("<p>Tomt</p>")) == []
    assert read_staff(html("<p>Tomt</p>")) == []
