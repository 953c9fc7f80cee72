"""Class lists of saved pages."""

import pytest

from tests.upstream.saved import saved
from upstream.errors import SessionDead, UpstreamChanged
from upstream.pages.html import Page
from upstream.pages.people import ClassLink, read_chooser, read_class
from upstream.records import Classmate


def names(name: str) -> list[tuple[str, str | None]]:
    return [(pupil.name, pupil.class_name) for pupil in read_class(saved(name))]


def test_layout_a_has_mail_and_address() -> None:
    assert read_class(saved("class_a.html")) == [
        Classmate(
            name="Elsa Nordvall",
            first_name="Elsa",
            last_name="Nordvall",
            class_name="8C",
            email="elsa.nordvall@elev.bjorkdalen.example",
            phone="070-174 06 05",
            address="Granvägen 4\n123 45 Björkdalen",
        ),
        Classmate("Ömer Sjölin", "Ömer", "Sjölin", "8C", None, None, None),
        Classmate(
            name="Anna-Karin von Åkerhielm Ek",
            first_name="Anna-Karin von Åkerhielm",
            last_name="Ek",
            class_name="8C",
            email="ak@elev.bjorkdalen.example",
            phone=None,
            address=None,
        ),
    ]


def test_layout_b_has_no_heading_for_pupils_and_staff_in_a_second_table() -> None:
    assert read_class(saved("class_b.html")) == [
        Classmate("Alva Lind", "Alva", "Lind", "7 B", None, "0701-22 33 44", None),
        Classmate("Zlatan", "Zlatan", "", "7 B", None, None, None),
    ]


@pytest.mark.parametrize(
    ("name", "pupils"),
    [
        ("class_c.html", [("Bo Ek", "8C"), ("Siri Öberg", "8C")]),
        ("class_c_english.html", [("Bo Ek", "8C")]),
    ],
)
def test_layout_c_keeps_staff_out(name: str, pupils: list[tuple[str, str | None]]) -> None:
    assert names(name) == pupils


def test_a_person_with_a_role_is_not_a_pupil_without_a_heading() -> None:
    page = saved("class_c.html")
    body = page.body.replace(b"h3_bold", b"h4").replace(b"</table>", b"").replace(b"<table>", b"")
    pupils = read_class(Page(body, page.charset))
    assert [pupil.name for pupil in pupils] == ["Bo Ek", "Siri Öberg"]


def test_a_mail_link_may_be_upper_case_and_have_a_subject() -> None:
    assert read_class(saved("class_c.html"))[1].email == "SIRI@elev.example"


def test_layout_d_offers_classes_each_once() -> None:
    page = saved("class_d_chooser.html")
    assert read_class(page) == []
    assert read_chooser(page) == [ClassLink(801, "8C"), ClassLink(802, "8D – språkval")]


def test_a_chooser_may_have_no_box() -> None:
    link = b'<li><a href="right_student_class.jsp?requestid=5">8C</a></li>'
    page = Page(b'<ul class="dropdown-menu">' + link + b"</ul>")
    assert read_class(page) == []
    assert read_chooser(page) == [ClassLink(5, "8C")]


def test_a_chosen_class_may_have_no_name_on_its_page() -> None:
    pupils = read_class(saved("class_d_page.html"), class_name="8C")
    assert [(pupil.name, pupil.class_name) for pupil in pupils] == [
        ("Nils Bergqvist", "8C"),
        ("Zoe Åkerman", "8C"),
    ]


def test_every_class_of_the_page_is_read() -> None:
    assert names("class_two.html") == [("Elsa Nordvall", "8C"), ("Ömer Sjölin", "8D")]


def test_one_column_is_enough() -> None:
    assert [name for name, _ in names("class_single_column.html")] == [
        "Elsa Nordvall",
        "Ömer Sjölin",
        "Bo Ek",
    ]


def test_unclosed_blocks_keep_their_own_fields() -> None:
    pupils = read_class(saved("class_unclosed.html"))
    assert [(pupil.name, pupil.phone) for pupil in pupils] == [
        ("Elsa Nordvall", None),
        ("Ömer Sjölin", "08-12 34 56"),
    ]


@pytest.mark.parametrize("name", ["class_hidden.html", "class_header_only.html"])
def test_a_hidden_or_empty_list_is_empty(name: str) -> None:
    assert read_class(saved(name)) == []
    assert read_chooser(saved(name)) == []


def test_unreadable_cells_are_a_changed_layout() -> None:
    with pytest.raises(UpstreamChanged):
        read_class(saved("class_unknown_cells.html"))


def test_blocks_without_names_are_a_changed_layout() -> None:
    page = saved("class_single_column.html")
    body = page.body.replace(b'id="name" class="heading_bold"', b'class="title"')
    with pytest.raises(UpstreamChanged):
        read_class(Page(body, page.charset))


def test_more_people_than_any_school_has_are_refused_before_they_are_read() -> None:
    page = saved("class_a.html")
    blocks = b'<div class="display-info"><span id="name">Bo Ek</span></div>' * 501
    body = page.body.replace(b'<div class="display-info', blocks + b'<div class="display-info', 1)
    assert body != page.body
    with pytest.raises(UpstreamChanged, match="too many people"):
        read_class(Page(body, page.charset))


def test_the_blocked_page_is_not_an_empty_class() -> None:
    with pytest.raises(UpstreamChanged):
        read_class(saved("blocked.html"))


def test_the_login_page_is_a_dead_session_though_it_has_a_box() -> None:
    page = saved("login.html")
    assert b"h2_container" in page.body
    with pytest.raises(SessionDead):
        read_class(page)
    with pytest.raises(SessionDead):
        read_chooser(page)


@pytest.mark.parametrize(
    "href",
    ["mailto:", "mailto:?subject=x", "mailto:a b@c", "javascript:a@b", "mailto:a%0a@b", "a@b"],
)
def test_an_invalid_mail_address_is_none(href: str) -> None:
    page = saved("class_c.html")
    body = page.body.replace(b"MAILTO:SIRI%40elev.example?subject=Hej%20Siri&body=x", href.encode())
    body = body.replace(b">SIRI@elev.example<", b">-<")
    assert read_class(Page(body, page.charset))[1].email is None
