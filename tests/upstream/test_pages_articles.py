"""The articles of saved news pages, and of pages that are odd in one way."""

from datetime import date
from typing import Any

import pytest

from tests.upstream.saved import saved
from upstream.errors import SessionDead, UpstreamChanged
from upstream.page_records import Article, AttachedFile
from upstream.pages.articles import read_articles
from upstream.pages.dates import read_day, read_time
from upstream.pages.html import Page

TODAY = date(2026, 3, 12)


def read(html: str) -> list[Article]:
    return read_articles(Page(html.encode(), "utf-8"), TODAY)


def page(inner: str) -> str:
    return f'<div class="h2_container" id="news_con"><div class="h2_inner">{inner}</div></div>'


def group(
    *,
    number: int = 7,
    heading: str = "<span id='name7'>Lov</span>",
    text: str = '<div class="accordion_inner_left"><p>Ledigt</p></div>',
    right: str = "",
) -> str:
    return (
        f'<div id="accordion-group{number}" class="accordion-group">'
        f'<div class="accordion-heading"><a class="accordion-toggle">{heading}</a></div>'
        f'<div class="accordion-inner">{text}<div class="accordion_inner_right">{right}</div></div>'
        "</div>"
    )


def one(**parts: Any) -> Article:
    [article] = read(page(group(**parts)))
    return article


def test_a_saved_page_is_read() -> None:
    first, second = read_articles(saved("accordion.html"), TODAY)
    assert (first.id, first.title, first.category) == ("51207", "Veckobrev v 12", "Skolledningen")
    assert (first.author, first.by_staff, first.groups) == ("Åsa Lindroos", True, ("8C",))
    assert (first.published, first.visible_until) == ("2026-03-10", "2026-03-31")
    assert first.attachments == (AttachedFile("7741", "Veckobrev v12.pdf", "141 KB"),)
    assert "nu är det vår" in first.html
    assert (second.published, second.attachments) == ("2026-02-03", ())


@pytest.mark.parametrize("name", ["accordion_english.html", "accordion_old.html"])
def test_other_saved_pages_are_read(name: str) -> None:
    articles = read_articles(saved(name), TODAY)
    assert articles
    assert all(article.published for article in articles)


HIDDEN = '<div class="hidden" id="fromDate{}7">{}</div>'


@pytest.mark.parametrize(
    ("day", "month", "year", "read_as"),
    [
        ("10", "2", "2026", "2026-03-10"),
        ("31", "0", "2025", "2025-01-31"),
        ("1", "11", "2027", "2027-12-01"),
        # Nonsense in hidden fields: the visible text counts.
        ("31", "1", "2026", "2026-03-09"),
        ("1", "12", "2026", "2026-03-09"),
        ("", "2", "2026", "2026-03-09"),
        ("²", "2", "2026", "2026-03-09"),
        ("9" * 20, "2", "2026", "2026-03-09"),
    ],
)
def test_hidden_months_begin_with_zero(day: str, month: str, year: str, read_as: str) -> None:
    parts = {"Day": day, "Month": month, "Year": year}
    hidden = "".join(HIDDEN.format(*part) for part in parts.items())
    article = one(right=f"<label>Publicerad</label><div>9 mars</div>{hidden}")
    assert article.published == read_as


@pytest.mark.parametrize(
    ("text", "past", "day"),
    [
        ("14 aug.", False, date(2026, 8, 14)),
        ("14 aug.", True, date(2025, 8, 14)),
        ("12 mars", True, TODAY),
        ("10 juni 2027", False, date(2027, 6, 10)),
        ("Igår", False, date(2026, 3, 11)),
        ("idag", False, TODAY),
        ("imorgon", False, date(2026, 3, 13)),
        ("29 feb.", True, date(2024, 2, 29)),
        ("19 maj 10:54", True, date(2025, 5, 19)),
        ("2026-03-10", False, date(2026, 3, 10)),
        ("31 feb.", False, None),
        ("99 mars", True, None),
        ("snart", False, None),
        ("", False, None),
    ],
)
def test_days_for_people(text: str, past: bool, day: date | None) -> None:
    assert read_day(text, TODAY, past=past) == day


def test_times() -> None:
    assert read_time("19 maj 9:05") == "09:05"
    assert read_time("19 maj 2026") is None


@pytest.mark.parametrize(
    ("parts", "where"),
    [
        ({"heading": ""}, "the heading of an article"),
        ({"text": "<main>Ledigt</main>"}, "the text of an article"),
    ],
)
def test_a_missing_part_is_named(parts: dict[str, str], where: str) -> None:
    with pytest.raises(UpstreamChanged, match=where):
        one(**parts)


def test_an_article_without_a_number_is_named() -> None:
    with pytest.raises(UpstreamChanged, match="the number of an article"):
        read(page('<div class="accordion-group"><span>Lov</span></div>'))


@pytest.mark.parametrize(
    "html",
    [
        "<html><body><h1>Nytt utseende!</h1></body></html>",
        page('<a href="right_student_file_download.jsp?fileid=7">Fil</a>'),
    ],
)
def test_an_unknown_page_is_an_error(html: str) -> None:
    with pytest.raises(UpstreamChanged, match="the news page"):
        read(html)


def test_an_empty_page_is_an_empty_list() -> None:
    assert read(page("<p>Det finns inga nyheter.</p>")) == []


def test_the_login_page_is_a_dead_session() -> None:
    with pytest.raises(SessionDead):
        read_articles(saved("login.html"), TODAY)


def test_of_two_articles_with_one_number_the_first_counts() -> None:
    twice = group() + group(heading="<span id='name7'>Annat</span>")
    assert [article.title for article in read(page(twice))] == ["Lov"]


def test_an_empty_body_and_a_form_that_asks_nothing() -> None:
    form = '<form id="formtable" action="x.jsp?action=update"><input type="hidden"></form>'
    article = one(text=f'<div class="accordion_inner_left"></div>{form}')
    assert (article.html, article.preview, article.question) == ("", None, None)


def test_a_form_with_a_field_asks() -> None:
    form = '<form action="x.jsp?action=update"><label>Vi kommer</label><input name="c"></form>'
    assert one(right=form).question == "Vi kommer"


def test_only_the_mark_of_staff_makes_an_author_staff() -> None:
    for author, name, staff in (
        ("Åsa Lindroos (P)", "Åsa Lindroos", True),
        ("Elevrådet (E)", "Elevrådet", False),
        ("Rektor", "Rektor", False),
    ):
        article = one(right=f"<label>Från</label><div>{author}</div>")
        assert (article.author, article.by_staff) == (name, staff)


def test_names_of_files_are_those_of_the_titles() -> None:
    link = '<a href="right_student_file_download.jsp?object=news&amp;fileid={}" title="{}">B...</a>'
    files = one(
        right=f"{link.format(1, 'Å&quot;.pdf')} (0&nbsp;KB)<br>{link.format(2, '')}"
        f"{link.format(1, 'igen.pdf')}<a href='other.jsp?fileid=3'>x</a>"
    ).attachments
    assert files == (AttachedFile("1", 'Å".pdf', "0 KB"), AttachedFile("2", "B...", None))
