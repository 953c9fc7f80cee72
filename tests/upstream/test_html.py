"""The decoding, limits and text of pages."""

import time

import pytest

from tests.upstream.saved import saved
from upstream.errors import SessionDead, UpstreamChanged
from upstream.pages.html import (
    MAX_BYTES,
    Page,
    find,
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


@pytest.mark.parametrize("name", ["start_no_box.html", "class_hidden.html", "school_info.html"])
def test_pages_of_signed_in_people_are_recognised(name: str) -> None:
    assert shows_signed_in(saved(name).text())


def test_the_blocked_page_is_not_one_of_them() -> None:
    assert not shows_signed_in(saved("blocked.html").text())


HOSTILE = {
    "depth": "<div>" * 3000,
    "depth of other kinds": "<ul><li>" * 3000,
    "tables": "<table><tr><td>" * 3000,
    "attributes": "<div " + " ".join(f"a{i}" for i in range(16_000)) + ">",
    "attributes that end": "<div " + " ".join(f'a{i}=">"' for i in range(9_000)) + ">",
    "attributes that begin": "<div " + " ".join(f"a{i}='<'" for i in range(9_000)) + ">",
    "odd quotes": "<div a=x\" b=\">\" " + " ".join(f"c{i}" for i in range(14_000)) + ">",
    "tags": "<b>" * 50_000,
}  # fmt: skip


@pytest.mark.parametrize("kind", HOSTILE)
def test_pages_beyond_the_limits_are_rejected(kind: str) -> None:
    began = time.thread_time()
    with pytest.raises(UpstreamChanged):
        parse(HOSTILE[kind])
    assert time.thread_time() - began < 0.05


def test_a_page_that_is_too_long_is_rejected_before_parsing() -> None:
    with pytest.raises(UpstreamChanged):
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
        ("<p>&amp;auml; &lt;b&gt;</p>", ["&auml; <b>"]),
    ],
)
def test_text_is_the_visible_text(html: str, rows: list[str]) -> None:
    [element] = find(parse(f"<section>{html}</section>"), "//section")
    assert lines(element) == rows
    assert line(element) == " ".join(rows)
    assert [row for row in lines(element, blank=True) if row] == rows
