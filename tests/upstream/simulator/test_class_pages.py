"""The class list in every layout, and the staff page."""

import pytest
from bs4 import BeautifulSoup, Tag

from tests.upstream.simulator.pages import one, read, text_of
from tests.upstream.simulator.plain_client import PlainClient
from upstream.simulator.server import Simulator
from upstream.simulator.settings import ClassPage

CLASS = "/jsp/student/right_student_class.jsp"
STAFF = "/jsp/student/right_student_staff.jsp"


def class_page(client: PlainClient, query: str = "") -> BeautifulSoup:
    return read(client.open(client.sign_in(), CLASS + query))


def with_layout(simulator: Simulator, client: PlainClient, value: ClassPage) -> BeautifulSoup:
    simulator.state.settings.class_page = value
    return class_page(client)


def names(page: Tag) -> list[str]:
    return [text_of(name) for name in page.select(".display-info [id=name]")]


def test_a_class_has_the_demo_people_and_is_the_same_every_time(client: PlainClient) -> None:
    page = class_page(client)
    assert {"Elsa Nordvall", "Bo Ek"} < set(names(page))
    assert "Ömer Sjölin" not in names(page)
    assert names(page) == names(class_page(client))
    assert len(names(page)) == 25
    assert any(len(name.split()) > 2 for name in names(page))


def test_a_shows_mail_and_address(client: PlainClient) -> None:
    page = class_page(client)
    assert text_of(one(page, "#contAll .h2")) == "Klass 8C"
    mails = page.select("a[href^=mailto i]")
    assert any("?subject=" in str(mail["href"]) for mail in mails)
    assert any(str(mail["href"]).startswith("MAILTO:") for mail in mails)
    assert any("id" not in mail.parent.attrs for mail in mails if mail.parent)
    assert one(page, "[id=address] br")
    assert not page.select("[id=phone]")


def test_ids_are_repeated_and_the_last_row_is_half_empty(client: PlainClient) -> None:
    page = class_page(client)
    rows = page.select("#contAll_content tr")
    assert text_of(rows[0]) == "Namn"
    assert not rows[1].select("[id=name]"), "no cell without a name"
    assert [len(rows[-1].select(half)) for half in (".span6left", ".span6right")] == [1, 0]
    assert [len(rows[-2].select(half)) for half in (".span6left", ".span6right")] == [1, 1]


def test_some_people_have_no_phone_or_email(simulator: Simulator, client: PlainClient) -> None:
    page = with_layout(simulator, client, "C")
    cells = page.select("#contAll_content table")[0].select(".display-info:has([id=name])")
    for part in ("phone", "email"):
        has = [bool(cell.select(f"[id={part}]")) for cell in cells]
        assert True in has
        assert False in has


def test_the_page_is_windows_1252(client: PlainClient) -> None:
    source = client.open(client.sign_in(), CLASS).content
    assert b"\x92Angelo" in source
    assert b"M\xfcller\x96\xd6hman" in source


def test_b_shows_telephones_with_a_mark_and_no_mail(
    simulator: Simulator, client: PlainClient
) -> None:
    page = with_layout(simulator, client, "B")
    assert not page.select("a[href^=mailto i]")
    phone = one(page, "div[id=phone][type=tel]")
    assert text_of(phone).endswith("(b)")


def test_c_has_the_staff_after_the_pupils(simulator: Simulator, client: PlainClient) -> None:
    page = with_layout(simulator, client, "C")
    headings = [text_of(heading) for heading in page.select("#contAll_content .h3_bold")]
    assert headings == ["Elever", "Personal"]
    pupils, staff = page.select("#contAll_content table")
    assert "Torbjörn Ekvik" in names(staff)
    assert "Torbjörn Ekvik" not in names(pupils)
    assert text_of(one(staff, "[id=role]")) == "Lärare, Mentor"


def test_d_begins_with_a_choice_of_two_classes(simulator: Simulator, client: PlainClient) -> None:
    page = with_layout(simulator, client, "D")
    assert names(page) == []
    links = page.select(".dropdown-menu li a[href*='requestid=']")
    assert [text_of(link) for link in links] == ["8C", "8A"]
    own, other = (
        class_page(client, "?requestid=" + str(link["href"]).split("=")[-1]) for link in links
    )
    assert "Elsa Nordvall" in names(own)
    assert "Ömer Sjölin" in names(other)
    assert not set(names(own)) & {"Ömer Sjölin"}
    assert own.select(".dropdown-menu"), "the chooser is gone"
    assert names(class_page(client, "?requestid=999")) == []


def test_other_layouts(simulator: Simulator, client: PlainClient) -> None:
    single = with_layout(simulator, client, "single-column")
    assert len(names(single)) == 25
    assert not single.select(".span6right")
    bare = with_layout(simulator, client, "no-contact")
    assert len(names(bare)) == 25
    assert not bare.select("[id=email], [id=phone], [id=address]")
    assert not with_layout(simulator, client, "unknown").select(
        ".h2_container, [id=contAll_content]"
    )


def test_a_hidden_page_is_empty_or_redirects(simulator: Simulator, client: PlainClient) -> None:
    assert text_of(one(with_layout(simulator, client, "hidden"), "#contAll_content")) == ""
    simulator.state.settings.class_page = "hidden-redirect"
    answer = client.open(client.sign_in(), CLASS)
    assert answer.status_code == 302
    assert answer.headers["Location"] == "right_student_startpage.jsp"


@pytest.mark.parametrize("name", ["torbjörn.ekvik", "gun.nordvall", "alva.lind"])
def test_everyone_has_a_class(client: PlainClient, name: str) -> None:
    assert len(names(read(client.open(client.sign_in(name), CLASS)))) % 2


def test_the_staff_page_has_heading_rows_of_cells(client: PlainClient) -> None:
    page = read(client.open(client.sign_in(), STAFF))
    tables = page.select("#contAll_content table.table-striped")
    assert [text_of(h) for h in page.select(".h3_bold")] == ["Mentorer", "Lärare", "Skolledare"]
    for table in tables:
        assert text_of(one(table, "tr.longlistheader td")) == "Namn"
    people = [text_of(one(row, "td")) for row in page.select("tr:not(.longlistheader)")]
    assert people.count("Ekvik Torbjörn") == 2
    assert "Wallin Öberg Ingrid" in people
    assert one(page, "a[href='tel:']")
    assert any("@" in text_of(c) and not c.select("a") for c in page.select("#contAll_content td"))
