"""The decoding, limits and text of pages."""

import time

import pytest

from tests.upstream.saved import NAMES, saved
from upstream.errors import AnswerTooLarge, SessionDead, UpstreamChanged
from upstream.pages.html import (
    MAX_BYTES,
    Page,
    is_cut_off,
    line,
    lines,
    parse,
    read_text,
    shows_signed_in,
)


@pytest.mark.parametrize(
    ("body", "charset", "text"),
    [
        (b"\xe5 \x96 \x80", "iso-8859-1", "å – €"),
        (b"\xe5 \x96 \x80", "", "å – €"),
        (b"\xe5 \x96 \x80", "windows-1252", "å – €"),
        (b"\xe5", "klingon", "å"),
        ("å – €".encode(), "utf-8", "å – €"),
        (b"\xef\xbb\xbf" + "å".encode(), "iso-8859-1", "å"),
        (b"\xef\xbb\xbf" + "å".encode(), "utf-8", "å"),
        (b"a\xff", "utf-8", "a\ufffd"),
        (b"a\x81\x00b", "", "a\ufffdb"),
    ],
)
def test_bytes_are_decoded_by_charset_and_byte_order_mark(
    body: bytes, charset: str, text: str
) -> None:
    assert Page(body, charset).text() == text


def test_the_repr_of_a_page_hides_its_bytes() -> None:
    assert "Elsa" not in repr(Page(b"Elsa"))


@pytest.mark.parametrize(
    "field",
    ['<input name="ssusername">', "<INPUT type=text ID = 'ssUserName'>", "<input name=sspassword>"],
)
def test_a_login_form_anywhere_is_the_login_page(field: str) -> None:
    with pytest.raises(SessionDead):
        read_text(Page(f'<div class="h2_container">{field}</div>'.encode()))


def test_a_text_that_mentions_the_fields_is_not_a_login_form() -> None:
    assert "sspassword" in read_text(saved("school_info.html"))


@pytest.mark.parametrize("name", NAMES)
def test_a_page_without_its_end_is_cut_off(name: str) -> None:
    body = saved(name).body
    assert not is_cut_off(body)
    end = body.lower().rindex(b"</html")
    for cut in (end // 2, end, end + 5):
        assert is_cut_off(body[:cut])


@pytest.mark.parametrize(
    "body",
    [
        b"<HTML lang='sv'><BODY>1</BODY></HTML>",
        b"<html></html >\r\n<!-- 0.2 s --> \0",
        b"<p>a part of a page</p>",
        b"",
    ],
)
def test_what_follows_the_end_does_not_matter_and_parts_have_none(body: bytes) -> None:
    assert not is_cut_off(body)


@pytest.mark.parametrize("name", ["start_no_box.html", "class_hidden.html", "school_info.html"])
def test_pages_of_signed_in_people_are_recognised(name: str) -> None:
    assert shows_signed_in(saved(name).text())


def test_the_blocked_page_is_not_one_of_them() -> None:
    assert not shows_signed_in(saved("blocked.html").text())


@pytest.mark.parametrize(
    "text",
    ["<div>" * 3000, "<ul><li>" * 1500, "<table><tr><td>" * 1000, "<b>" * 50_000],
    ids=["blocks", "lists", "tables", "tags"],
)
def test_pages_beyond_the_limits_are_rejected(text: str) -> None:
    began = time.thread_time()
    with pytest.raises(UpstreamChanged):
        parse(text)
    assert time.thread_time() - began < 0.5


@pytest.mark.parametrize("attribute", ["a{}", "a{}='>'", 'a{}="<"'])
def test_a_tag_with_thousands_of_attributes_is_read_quickly(attribute: str) -> None:
    crowded = "<div " + " ".join(map(attribute.format, range(16_000))) + "><p>a</p>"
    began = time.thread_time()
    assert line(parse(crowded)) == "a"
    assert time.thread_time() - began < 0.5


def test_a_page_that_is_too_long_is_rejected_before_parsing() -> None:
    with pytest.raises(AnswerTooLarge):
        read_text(Page(b"a" * (MAX_BYTES + 1)))


@pytest.mark.parametrize("text", ["", " ", "<!-- x -->", "<?pi?>", "</p>"])
def test_a_text_without_elements_is_rejected(text: str) -> None:
    with pytest.raises(UpstreamChanged):
        parse(text)


@pytest.mark.parametrize(
    ("html", "rows"),
    [
        ("<p>a<br/>b&nbsp;c<br> <br>d</p>", ["a", "b c", "d"]),
        ("<p>a\r\nb</p>", ["a b"]),
        ("<div>a<div>b</div>c</div>", ["a", "b", "c"]),
        ("<p>a<script>x</script>b<style>y</style></p>", ["ab"]),
        ("<p>a</p><noscript><p>x</p></noscript><span><p>b</p></span>c", ["a", "b", "c"]),
        ("<p>&amp;auml; &lt;b&gt;</p>", ["&auml; <b>"]),
    ],
)
def test_text_is_the_visible_text(html: str, rows: list[str]) -> None:
    document = parse(f"<section>{html}</section>")
    assert lines(document) == rows
    assert line(document) == " ".join(rows)
