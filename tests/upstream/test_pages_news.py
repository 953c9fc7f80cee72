"""News of saved start pages."""

import pytest

from tests.upstream.saved import saved
from upstream.errors import SessionDead, UpstreamChanged
from upstream.pages.html import Page
from upstream.pages.news import _box_of, read_news
from upstream.records import NewsItem


def box(inner: str) -> Page:
    page = f'<div id="news_con_content"><table><tr><td>{inner}</td></tr></table></div>'
    return Page(page.encode("cp1252"), "iso-8859-1")


def one(inner: str) -> NewsItem:
    [item] = read_news(box(inner))
    return item


def test_the_box_is_read_in_page_order() -> None:
    assert [(item.id, item.title) for item in read_news(saved("start_box.html"))] == [
        ("51199", "Skolan öppnar 08.10 – nya tider"),
        ("51207", "Studiedag fredag 20 mars"),
        ("51208", "Friluftsdag & matsäck"),
        (None, "Utan nummer"),
        ("51207", "Studiedag fredag 20 mars"),
        ("51211", "Tandläkaren <8C>"),
        ("51212", "Skriv &auml; rätt"),
    ]


def test_the_category_is_the_heading_above() -> None:
    categories = [item.category for item in read_news(saved("start_box.html"))]
    assert categories == [None, *["Skolledningen"] * 3, *["Elevhälsan"] * 3]


def test_pages_labelled_latin_1_are_windows_1252() -> None:
    first = read_news(saved("start_box.html"))[0]
    assert first.preview == "Vi ses i “stora aulan” … ta med 20 €"


def test_a_preview_is_null_or_differs_from_the_title() -> None:
    previews = [item.preview for item in read_news(saved("start_box.html"))[1:]]
    assert previews == [
        "Skolan är stängd för eleverna …",
        None,
        None,
        "Skolan är stängd för eleverna …",
        None,
        "Kurs i HTML-tecken tisdag",
    ]


def test_links_without_a_cell_around_them_are_read() -> None:
    items = read_news(saved("start_box_without_td.html"))
    assert [(item.id, item.title, item.preview, item.category) for item in items] == [
        ("300", "Läsårsdata för hösten", "Se kalendern", "Rektor"),
        ("301", "Nya låsskåp", "Hämta nyckel", "Rektor"),
    ]


def test_a_page_labelled_utf_8_is_utf_8() -> None:
    [item] = read_news(saved("start_utf8.html", "utf-8"))
    assert item.title == "Skridskodag på Sjöängen – ta med hjälm"
    assert item.preview == "Łukasz “visar” …"


@pytest.mark.parametrize("name", ["start_box_empty.html", "start_no_box.html"])
def test_a_start_page_without_news_is_an_empty_list(name: str) -> None:
    assert read_news(saved(name)) == []


def test_the_inactivity_warning_is_not_an_error() -> None:
    page = saved("school_info.html")
    assert b"Varning" in page.body
    assert read_news(page) == []


def test_a_box_with_unknown_links_is_not_empty() -> None:
    with pytest.raises(UpstreamChanged):
        read_news(saved("start_new_links.html"))


def test_the_login_page_is_a_dead_session() -> None:
    with pytest.raises(SessionDead):
        read_news(saved("login.html"))


@pytest.mark.parametrize("body", [b"", b" ", b"{}", b"<p>Hej</p>", b"\xff\xfe\x00", b"<!-- -->"])
def test_an_unrecognised_page_is_a_changed_layout(body: bytes) -> None:
    with pytest.raises(UpstreamChanged):
        read_news(Page(body, "iso-8859-1"))


def test_the_blocked_page_is_not_an_empty_list() -> None:
    with pytest.raises(UpstreamChanged):
        read_news(saved("blocked.html"))


# --- Accordion -----------------------------------------------------------------------------------


def test_the_accordion_is_read_with_its_categories() -> None:
    assert read_news(saved("accordion.html")) == [
        NewsItem("51207", "Veckobrev v 12", "Hej alla … på 8C", "Skolledningen"),
        NewsItem("51190", "Lämna böckerna", "Före lovet: romaner kartböcker", "Biblioteket"),
    ]


def test_the_older_accordion_has_no_first_heading_and_no_previews() -> None:
    assert read_news(saved("accordion_old.html")) == [
        NewsItem("4410", "Fotografering på måndag", "Klä er “fint” … Åsa", None),
        NewsItem("4402", "Loppis", None, "Äldre"),
    ]


def test_an_english_accordion_gives_the_same_items() -> None:
    assert read_news(saved("accordion_english.html")) == [
        NewsItem("610", "No school on Friday – Åre trip", "Bring skis", "School management")
    ]


def test_a_preview_from_a_long_body_is_cut() -> None:
    page = saved("accordion_old.html")
    long = Page(page.body.replace(b"Kl\xe4 er", b"Kl\xe4 " + b"m\xf6ssa " * 100), page.charset)
    preview = read_news(long)[0].preview
    assert preview is not None
    assert len(preview) <= 201
    assert preview.endswith("…")


# --- One link ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("href", "number"),
    [
        ("n.jsp?requestid=7&type=1", "7"),
        ("n.jsp?type=1&amp;requestid=7", "7"),
        ("n.jsp?type=1&requestid=7", "7"),
        ("n.jsp?type=1;requestid=007", "007"),
        ("n.jsp?otherrequestid=7", None),
        ("n.jsp?requestid=x", None),
        (f"n.jsp?requestid={'9' * 40}", None),
        ("", None),
    ],
)
def test_the_id_is_found_anywhere_in_the_query(href: str, number: str | None) -> None:
    link = f'<a class="x toplist-item" href="{href}"><div class="heading_bold">T</div></a>'
    assert one(link).id == number


@pytest.mark.parametrize(
    ("inner", "title", "preview"),
    [
        ('<div class="heading_bold">T</div>', "T", None),
        ('<div class="heading_bold">T</div><div>A</div><div>B</div>', "T", "B"),
        ('<div class="heading_bold">T</div><div>A</div><div>&nbsp;</div>', "T", "A"),
        ('<div><div class="heading_bold">T</div><div>A <b>b</b>c</div></div>', "T", "A bc"),
        ("<div>T</div><div>A</div>", "T", "A"),
        ("<span>T</span>", "T", None),
        ("T", "T", None),
        ('<div class="heading_bold">L&auml;s<b>dag</b><br>nu</div><p>A</p>', "Läsdag nu", "A"),
        ('<div class="heading_bold">T<script>x()</script></div><div>A</div>', "T", "A"),
    ],
)
def test_title_and_preview_are_read(inner: str, title: str, preview: str | None) -> None:
    item = one(f'<a class="toplist-item" href="?requestid=1">{inner}</a>')
    assert (item.title, item.preview) == (title, preview)


def test_a_link_without_text_is_not_an_item() -> None:
    assert read_news(box('<a class="toplist-item" href="?requestid=1">&nbsp;</a>')) == []


@pytest.mark.parametrize(
    "name", ["start_box.html", "start_box_without_td.html", "start_box_empty.html"]
)
def test_reading_only_the_box_gives_the_same_items(name: str) -> None:
    page = saved(name)
    # The id occurs twice, so the whole page is parsed.
    whole = Page(page.body + b'<!-- id="news_con_content" -->', page.charset)
    assert len(_box_of(page.text())) < len(page.body)
    assert _box_of(whole.text()) == whole.text()
    assert read_news(whole) == read_news(page)


def test_a_mention_of_the_box_in_a_script_does_not_hide_the_box() -> None:
    page = saved("start_box_without_td.html")
    script = b'<script>var a = "<div id=\'news_con_content\'></div>";</script><div id="news_con"'
    twice = Page(page.body.replace(b'<div id="news_con"', script, 1), page.charset)
    assert read_news(twice) == read_news(page)
