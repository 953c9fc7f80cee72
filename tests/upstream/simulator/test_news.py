"""News: the box of the start page, its odd rows, and the accordion."""

from collections import Counter

import pytest
from bs4 import BeautifulSoup, Tag

from tests.upstream.simulator.pages import one, read, text_of
from tests.upstream.simulator.plain_client import PlainClient
from upstream.simulator.server import Simulator

START = "/jsp/student/right_student_startpage.jsp"
NEWS = "/jsp/student/right_student_news.jsp"


def start(client: PlainClient) -> BeautifulSoup:
    return read(client.open(client.sign_in(), START))


def links(page: Tag) -> list[Tag]:
    return list(page.select("#news_con_content table tr td > a.toplist-item"))


def news(client: PlainClient, query: str = "") -> BeautifulSoup:
    return read(client.open(client.sign_in(), NEWS + query))


def test_the_start_page_weighs_about_35_kilobytes(client: PlainClient) -> None:
    answer = client.open(client.sign_in(), START)
    assert 33_000 < len(answer.content) < 37_000
    assert answer.headers["Content-Type"] == "text/html; charset=ISO-8859-1"
    assert b"v\xe5r & v\xe4rme" in answer.content
    assert {0x85, 0x80, 0x92, 0x96} < set(answer.content), "not the bytes of windows-1252"
    assert b"&aring;" in answer.content
    assert b"&hellip;" in answer.content


def test_the_box_has_twelve_items_and_the_odd_ones(client: PlainClient) -> None:
    items = links(start(client))
    assert len(items) == 12 + 6
    first = items[0]
    assert first["href"] == "right_student_news.jsp?requestid=51284&type=1&action=view"
    assert text_of(one(first, ".heading_bold")) == "Studiedag fredag 20 mars"
    assert text_of(first.select("div")[-1]).endswith("…")


def test_headings_come_before_their_tables_and_the_first_has_none(client: PlainClient) -> None:
    content = one(start(client), "#news_con_content")
    assert one(content, ":scope > *").name == "table"
    headings = [text_of(heading) for heading in content.select("div.h3_bold")]
    assert headings == ["Skolledningen", "Elevrådet & föreningar", "Biblioteket", "Övrigt"]


def test_odd_rows_are_there(client: PlainClient) -> None:
    page = start(client)
    items = links(page)
    hrefs = Counter(str(item["href"]) for item in items)
    assert max(hrefs.values()) == 2, "no item is repeated"
    assert any("requestid=" not in href for href in hrefs), "no item without an id"
    assert any("?type=1&requestid=" in href for href in hrefs), "the id is always first"
    assert any(len(item.select("div")) == 1 for item in items), "every item has a preview"
    numbers = Counter(href.partition("requestid=")[2].partition("&")[0] for href in hrefs)
    assert numbers["51207"] == 2, "no id belongs to two items"
    rows = page.select("#news_con_content tr")
    assert any(not row.select("a") and not text_of(row) for row in rows), "no blank row"
    source = client.open(client.sign_in(), START).content
    assert b"requestid=50992&amp;action" in source
    assert b"type=1&action=view" in source
    assert b"class='toplist-item unread'" in source


def test_other_boxes_look_like_news(client: PlainClient) -> None:
    page = start(client)
    assert len(page.select("#week_tests_con_content table tr a.list")) == 3
    assert page.select("#week_results_con_content table tr a.list .comment")
    assert "Varning" in page.get_text()


@pytest.mark.parametrize("count", [0, 1, 30])
def test_the_setting_decides_the_number_of_items(
    simulator: Simulator, client: PlainClient, count: int
) -> None:
    simulator.state.settings.news_items = count
    simulator.state.settings.odd_news = False
    page = start(client)
    assert len(links(page)) == count
    assert one(page, "#news_con_content") is not None


def test_the_box_can_be_missing_or_empty(simulator: Simulator, client: PlainClient) -> None:
    simulator.state.settings.start_page = "no-box"
    assert not start(client).select("#news_con_content")
    simulator.state.settings.start_page = "empty-box"
    assert text_of(one(start(client), "#news_con_content")) == ""


def test_links_can_be_in_rows_without_cells(simulator: Simulator, client: PlainClient) -> None:
    simulator.state.settings.start_page = "bare-links"
    source = client.open(client.sign_in(), START).content
    assert source.count(b'<tr><a class="toplist-item"') == 12


def test_the_start_page_can_show_an_accordion(simulator: Simulator, client: PlainClient) -> None:
    simulator.state.settings.start_page = "accordion"
    page = start(client)
    assert len(page.select("#news_con_content .accordion-group")) == 12
    assert not links(page)


def test_the_news_page_is_an_accordion_with_repeated_ids(client: PlainClient) -> None:
    page = news(client)
    groups = page.select(".accordion-group")
    assert len(groups) == 8
    assert len(page.select("[id=accordion]")) > 1
    assert len(page.select("[id=formtable]")) == 8
    item = groups[0]
    assert item["id"] == "accordion-group51284"
    assert text_of(one(item, "#name51284")) == "Studiedag fredag 20 mars"
    assert [text_of(label) for label in item.select("label")] == [
        "Från",
        "Till",
        "Publicerad",
        "Visa till",
    ]
    assert "type=1" in str(one(item, "form")["action"])


def test_items_of_the_accordion_differ_in_their_layout(client: PlainClient) -> None:
    source = client.open(client.sign_in(), NEWS).content.decode("cp1252")
    assert '<p class="acc-item-main"><span id=\'description' in source
    assert "</p></span></p>" in source, "no paragraph holds a span that holds paragraphs"
    for part in ("accordion-heading-date-wide", 'accordion-heading-date"', "<ul>", "&nbsp;</p>"):
        assert part in source


def test_older_news_and_a_single_item_can_be_asked_for(client: PlainClient) -> None:
    current, older = news(client), news(client, "?type=2")
    assert len(older.select(".accordion-group")) == 4
    archive = news(client, "?type=1&action=viewold&category=-1")
    assert text_of(archive) == text_of(older) != text_of(current)
    single = news(client, "?requestid=51284&type=1&action=view")
    assert [group["id"] for group in single.select(".accordion-group")] == ["accordion-group51284"]


def test_labels_can_be_english(simulator: Simulator, client: PlainClient) -> None:
    simulator.state.settings.news_language = "en"
    assert text_of(one(news(client), "label")) == "From:"


def test_everyone_at_a_school_reads_the_same_news(client: PlainClient) -> None:
    def box(name: str) -> str:
        page = read(client.open(client.sign_in(name), START))
        return text_of(one(page, "#news_con_content"))

    assert box("elsa.nordvall") == box("torbjörn.ekvik") == box("gun.nordvall")
