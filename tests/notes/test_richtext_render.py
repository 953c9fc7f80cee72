"""Documents and plain text as HTML."""

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from django.utils import translation

from notes.richtext.plain_text import guess_language
from notes.richtext.render_html import render_html, render_plain_text
from tests.notes.documents import RICH, doc, link, nested, node, paragraph, text

INLINE = {
    "bold": "<strong>x</strong>",
    "italic": "<em>x</em>",
    "strike": "<s>x</s>",
    "underline": "<u>x</u>",
    "highlight": "<mark>x</mark>",
    "subscript": "<sub>x</sub>",
    "superscript": "<sup>x</sup>",
    "code": "<code>x</code>",
    "textStyle": "x",
}


class Tags(HTMLParser):
    """All tags with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize("mark", INLINE)
def test_each_mark_has_its_tag(mark: str) -> None:
    html = render_html(doc(node("paragraph", text("x", mark))))
    assert html == f'<p dir="auto">{INLINE[mark]}</p>'


def test_marks_are_nested() -> None:
    one = doc(node("paragraph", text("a", "bold"), text("b", "bold", "italic"), text("c")))
    assert render_html(one) == '<p dir="auto"><strong>a<em>b</em></strong>c</p>'


def test_blocks_have_their_tags() -> None:
    html = render_html(RICH).replace(' dir="auto"', "")
    for part in (
        "<h1>Fotosyntesen</h1>",
        "<h6>Sist</h6>",
        "<br>En ny rad",
        "<ul><li><p>Kapitel 3: ljusreaktionen</p></li>",
        '<ol start="3"><li><p>Tredje försöket</p></li>',
        "<ol><li><p>Calvincykeln</p></li>",
        "<blockquote><p>Utan växter",
        '<code class="language-python">def solljus',
        "<hr>",
        "<table><tbody><tr><th><p>Ämne</p></th>",
        '<td colspan="3"><p>Finns i alla växter</p></td>',
        '<p class="align-center">Mitt i raden</p>',
        "<p></p>",
    ):
        assert part in html, part


def test_every_text_block_has_its_own_direction() -> None:
    found = Tags(render_html(RICH)).found
    blocks = [attrs for tag, attrs in found if tag in {"p", "h1", "h2", "h3", "h6", "td", "th"}]
    assert len(blocks) > 20
    assert {attrs.get("dir") for attrs in blocks} == {"auto"}
    assert Tags(render_plain_text("שלום\n\nhej")).found == [("p", {"dir": "auto"})] * 2


@pytest.mark.parametrize(
    ("words", "direction"),
    [("123 - שלום, hej", "rtl"), ("مرحبا", "rtl"), ("Hej, שלום", None), ("12", None)],
)
@pytest.mark.parametrize("kind", ["bulletList", "orderedList", "taskList", "blockquote", "table"])
def test_a_list_a_quote_and_a_table_begin_at_the_side_of_their_text(
    kind: str, words: str, direction: str | None
) -> None:
    items = {"taskList": "taskItem", "blockquote": "", "table": "tableRow"}
    block, item = paragraph(words), items.get(kind, "listItem")
    inside = node("tableCell", block) if kind == "table" else block
    html = render_html(doc(node(kind, node(item, inside) if item else inside)))
    outer = [attrs for tag, attrs in Tags(html).found if tag in {"ul", "ol", "blockquote", "table"}]
    assert [attrs.get("dir") for attrs in outer] == [direction]


@pytest.mark.parametrize(
    ("language", "code", "table"), [("en", "Code", "Table"), ("sv", "Kod", "Tabell")]
)
def test_what_scrolls_can_be_reached_with_the_keyboard(
    language: str, code: str, table: str
) -> None:
    with translation.override(language):
        found = Tags(render_html(RICH)).found
    (pre,) = [attrs for tag, attrs in found if tag == "pre"]
    (wide,) = [attrs for tag, attrs in found if attrs.get("class") == "wide"]
    group = {"tabindex": "0", "role": "group"}
    assert pre == {**group, "dir": "ltr", "aria-label": code}
    assert wide == {**group, "class": "wide", "aria-label": table}


def test_a_task_has_a_disabled_checkbox() -> None:
    boxes = [attrs for tag, attrs in Tags(render_html(RICH)).found if tag == "input"]
    assert ["checked" in attrs for attrs in boxes] == [True, False]
    assert all("disabled" in attrs and attrs["type"] == "checkbox" for attrs in boxes)


def _headings(*levels: int, offset: int) -> list[int]:
    made = doc(*(node("heading", text("x"), level=level) for level in levels))
    return [int(each) for each in re.findall(r"<h(\d)", render_html(made, heading_offset=offset))]


@pytest.mark.parametrize(
    ("levels", "shown"),
    [
        ([1, 2, 3, 3, 2, 1], [2, 3, 4, 4, 3, 2]),
        ([2, 6, 3, 2], [2, 3, 3, 2]),
        ([3, 1, 2], [2, 2, 3]),
        ([1, 2, 3, 4, 5, 6], [2, 3, 4, 5, 6, 6]),
    ],
)
def test_headings_of_a_page_leave_out_no_level(levels: list[int], shown: list[int]) -> None:
    assert _headings(*levels, offset=1) == shown
    assert _headings(*levels, offset=0) == levels


def test_a_link_has_no_opener_referrer_or_endorsement() -> None:
    html = render_html(doc(node("paragraph", text("x", link('https://a.example/?b=1&c="2"')))))
    assert Tags(html).found[1] == (
        "a",
        {
            "href": 'https://a.example/?b=1&c="2"',
            "target": "_blank",
            "rel": "noopener noreferrer nofollow ugc",
        },
    )


def test_text_is_escaped() -> None:
    evil = "<script>alert(1)</script><img src=x onerror=alert(1)>&lt;b&gt;"
    for html in (
        render_html(doc(paragraph(evil))),
        render_html(doc(node("codeBlock", text(evil), language="x"))),
        render_html(doc(node("heading", text(evil, "bold", "code"), level=1))),
        render_plain_text(evil),
    ):
        assert not {"script", "img", "b"} & {tag for tag, _ in Tags(html).found}
        assert "&lt;script&gt;" in html
        assert "&amp;lt;b" in html


@pytest.mark.parametrize("language", ["", None])
def test_an_empty_language_is_left_out(language: str | None) -> None:
    html = render_html(doc(node("codeBlock", text("x"), language=language)))
    assert "<code>x</code></pre>" in html


def test_only_known_tags_and_attributes_are_written() -> None:
    allowed = {"href", "target", "rel", "title", "class", "type", "disabled", "checked",
               "aria-label", "start", "colspan", "rowspan", "dir", "role", "tabindex"}  # fmt: skip
    found = Tags(render_html(RICH)).found
    assert {name for _, attrs in found for name in attrs} <= allowed
    classes = {attrs["class"] for _, attrs in found if "class" in attrs}
    assert classes == {"wide", "task", "tasks", "align-center", "language-python"}


def test_the_deepest_document_can_be_rendered() -> None:
    assert render_html(nested(45)).count("<blockquote>") == 45


def test_plain_text_keeps_its_lines() -> None:
    block = '<p dir="auto">'
    assert render_plain_text("ett\r\ntvå\n\n \n# tre\n") == (
        f"{block}ett<br>två</p>{block}# tre</p>"
    )
    assert render_plain_text(" \n") == ""
    assert render_plain_text("**inte fet** https://a.example") == (
        f"{block}**inte fet** https://a.example</p>"
    )


@pytest.mark.parametrize(
    ("words", "language"),
    [
        ("Läs om fotosyntesen till fredag", "sv"),
        ("The quick brown fox and the lazy dog", "en"),
        ("Remember to bring milk for the party", "en"),
        ("Jag gillar the Beatles och deras musik", "sv"),
        ("", "sv"),
        ("1 + 1 = 2", "sv"),
        ("x" * 10**6, "sv"),
    ],
)
def test_the_language_is_guessed(words: str, language: str) -> None:
    assert guess_language(words) == language
