"""Parsers on random and broken pages: they return or raise one of our errors, and their time grows
with the page, not faster.

Every run searches a little; `HYPOTHESIS_PROFILE=long` searches for minutes.
"""

import os
import time
from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.upstream.saved import NAMES, saved
from upstream.errors import SessionDead, UpstreamInvalid
from upstream.pages.articles import read_articles
from upstream.pages.html import Page
from upstream.pages.lunch import read_lunch
from upstream.pages.news import read_news
from upstream.pages.people import read_chooser, read_class

Reader = Callable[[Page], list[object]]


def articles(page: Page) -> list[object]:
    return [*read_articles(page, date(2026, 3, 12))]


READERS: list[Reader] = [articles, read_news, read_lunch, read_class, read_chooser]  # type: ignore[list-item]
LONGEST = 60_000
LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"
FUZZ = settings(max_examples=4000 if LONG else 40, derandomize=not LONG, database=None)

charsets = st.sampled_from(["iso-8859-1", "utf-8", "", "utf-16"])
offsets = st.integers(0, 12_000)
fragments = st.sampled_from(
    [
        b"<", b">", b'"', b"'", b"<!--", b"-->", b"</div>", b"</td>", b"</table>", b"<table>",
        b"<p>", b"</a>", b"<a class=toplist-item href='?requestid=1'>", b"<script>", b"<textarea>",
        b"<div class='display-info'>", b"<div id='news_con_content'>", b"<div id=name>", b"\x00",
        b"<div class=accordion-group id=accordion-group1>", b"<title>", b"<plaintext>", b"&#0;",
        b"<svg>", b"<select>", b"<frameset>", b"&#xD800;", b"<![CDATA[", b"<?xml encoding=x?>",
    ]
)  # fmt: skip


def cut(body: bytes, at: int) -> bytes:
    return body[: at % (len(body) + 1)]


def drop(body: bytes, at: int) -> bytes:
    at %= len(body) + 1
    return body[:at] + body[at + 200 :]


def double(body: bytes, at: int) -> bytes:
    at %= len(body) + 1
    return body[:at] + body[at : at + 900] * 2 + body[at + 900 :]


def flip(body: bytes, at: int) -> bytes:
    at %= len(body) + 1
    return body[:at] + bytes(byte ^ 0x5A for byte in body[at : at + 3]) + body[at + 3 :]


def bury(body: bytes, at: int) -> bytes:
    at %= len(body) + 1
    tag = [b"<div>", b"<table><tr><td>", b"<b>", b"<div class='h3_bold'>"][at % 4]
    return body[:at] + tag * 3000 + body[at:]


def repeat(body: bytes, at: int) -> bytes:
    at %= len(body) + 1
    piece = body[at : at + 1 + at % 700]
    return body[:at] + piece * (LONGEST // (len(piece) or 1)) + body[at:]


changes = st.tuples(st.sampled_from([cut, drop, double, flip, bury, repeat]), offsets)
insertions = st.tuples(fragments, offsets)


@st.composite
def broken(draw: st.DrawFn) -> bytes:
    """A saved page with random changes."""
    body = saved(draw(st.sampled_from(NAMES))).body
    for change in draw(st.lists(changes | insertions, min_size=1, max_size=8)):
        done, at = change
        at %= len(body) + 1
        body = body[:at] + done + body[at:] if isinstance(done, bytes) else done(body, at)
    return body[:LONGEST]


def check(page: Page) -> None:
    for reader in READERS:
        read(reader, page)


def read(reader: Reader, page: Page) -> None:
    try:
        found = reader(page)
    except (SessionDead, UpstreamInvalid):
        return
    assert isinstance(found, list)


def seconds(reader: Reader, page: Page) -> float:
    """Of the processor."""
    began = time.thread_time()
    read(reader, page)
    return time.thread_time() - began


@FUZZ
@given(st.binary(max_size=3000), charsets)
def test_random_bytes_raise_only_our_errors(body: bytes, charset: str) -> None:
    check(Page(body, charset))


@FUZZ
@given(st.lists(fragments | st.binary(max_size=6), max_size=300).map(b"".join), charsets)
def test_scraps_of_markup_raise_only_our_errors(body: bytes, charset: str) -> None:
    check(Page(body, charset))


@FUZZ
@given(broken(), charsets)
def test_broken_pages_raise_only_our_errors(body: bytes, charset: str) -> None:
    check(Page(body, charset))


BOX = b"<div id='news_con_content' class='h2_inner'>"
LIST = b"<div id='contAll'><div id='contAll_content'><div class=h3_bold>Elever</div><table>"
MENU = b"<div id='lunchmenu_con_content'><table>"
LINK = b"<a class=toplist-item href='?requestid=1'>"
OF_HEAD: dict[bytes, list[Reader]] = {
    BOX: READERS[:1],
    MENU: READERS[1:2],
    LIST: READERS[2:],
}


@pytest.mark.parametrize(
    ("head", "piece"),
    [
        (BOX, LINK + b"<div class=heading_bold>a</div><div>b</div></a>"),
        (BOX, LINK),
        (BOX + LINK, b"<div>a</div>"),
        (BOX + LINK, b"<div class=heading_bold>"),
        (BOX + LINK + b"<div class=heading_bold>", b"a<i>b</i>"),
        (BOX, b"<div class=h3_bold>a</div>"),
        (BOX, b"<div class=h3_bold>"),
        (b"", b"<div class=accordion-group id=accordion-group1><span id=name1>a</span></div>"),
        (b"", b"<div class=accordion-group>"),
        (b"", b"<div id=acc-item-1><b>"),
        (b"", BOX),
        (LIST, b"<tr><td><div class=display-info><div id=name>A B</div></div></td></tr>"),
        (LIST, b"<div class=display-info><div id=name>A B"),
        (LIST, b"<table><tr><td><div class=display-info>"),
        (LIST + b"<div class=display-info>", b"<div id=name>A</div>"),
        (LIST + b"<div class=display-info><div id=address>", b"a<br>"),
        (LIST, b"<div class=h2>Klass 8C</div>"),
        (b"", b"<div id=contAll>"),
        (b"", b"<div class=h2_container>"),
        (b"<ul class=dropdown-menu>", b"<li><a href='?requestid=1'>8C</a>"),
        (b"", b"<ul class=dropdown-menu><li><a href='?requestid=1'>8C</a>"),
        (MENU, b"<tr><td><div class=h3_bold>tis</div><td style=word-wrap>a<br>"),
        (MENU, b"<tr><td>mon<td>Veg:<br>b"),
        (MENU + b"<tr><td>mon<td>", b"vegetarisk "),
        (MENU, b"<tr>"),
        (BOX + b"<div class=h3_bold>" * 200, b"a "),
        (BOX + b"<div class=h3_bold>" * 200, b"<b>a</b> "),
        (b"<div class=accordion-group>" * 200, b"<b>a</b> "),
        (b"<div class=accordion-group><a class=accordion-toggle>" * 100, b"<b>a</b>"),
        (b"<div class=accordion-group id=accordion-group1>" * 200, b"<b id=name1>a</b>"),
        (LIST + b"<div class=display-info><div id=name>" * 100, b"<b>a</b>"),
        (LIST + b"<div class=h2>" * 200, b"<b>a</b>"),
        (LIST + b"<tr><td><table>" * 70, b"<tr><td><b>a</b>"),
        (MENU + b"<tr><td>mon<td><table>" * 70, b"<tr><td><b>a</b>"),
        (MENU + b"<tr><td><div class=h3_bold>mon</div><td style=word-wrap><table>" * 70, b"<b>"),
        (b"<input ", b"name "),
        (b"", b"<input name"),
        (b"", b"= '"),
        (b"", b'="'),
        (b"", b"&amp"),
        (b"", b"<!--"),
        (b"", b" "),
        (b"", b"<div class='display-info'><div id=name>"),
        (b"", b"<a class='toplist-item' href='?requestid=1'><div>x"),
    ],
)
def test_four_times_the_markup_does_not_take_sixteen_times_as_long(
    head: bytes, piece: bytes
) -> None:
    body = head + piece * (LONGEST // len(piece))
    quarter, whole = (Page(body[:size], "iso-8859-1") for size in (LONGEST // 4, LONGEST))
    for reader in next((OF_HEAD[box] for box in OF_HEAD if head.startswith(box)), READERS):
        # On a busy machine a single reading may take long.
        if seconds(reader, whole) > 0.05 + 8 * seconds(reader, quarter):
            allowed = 0.05 + 10 * min(seconds(reader, quarter) for _ in range(3))
            assert min(seconds(reader, whole) for _ in range(3)) < allowed, reader
