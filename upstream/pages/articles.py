"""Parses the news page: an accordion with each article in full.

Ids repeat on the page, so each part is looked for inside its own article. What an article cannot do
without (number, heading, text) is named when it is missing; everything else may be missing.
"""

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

from bs4 import Tag

from upstream.errors import UpstreamChanged
from upstream.page_records import Article
from upstream.pages.attachments import read_attachments
from upstream.pages.dates import day_of, read_day
from upstream.pages.html import Page, attribute, classes, line, parse, read_text, shows_signed_in

MAX_ARTICLES: Final = 300
PREVIEW_CHARACTERS: Final = 200

_GROUP: Final = re.compile(r"^(?:accordion-group|acc-item-)(\d{1,18})\Z")
_STAFF: Final = re.compile(r"\s*\(P\)\Z")
_MARKER: Final = re.compile(r"\s*\([A-ZÅÄÖ]\)\Z")
# What the labels of the right column say, by the field.
_LABELS: Final = {
    "author": ("från", "from"),
    "groups": ("till", "to"),
    "published": ("publicerad", "published"),
    "until": ("visa till", "show until", "visible until"),
}


def read_articles(page: Page, today: date) -> list[Article]:
    """The articles in page order, each number once; a page that says so has none.

    Raises: SessionDead for the login page; UpstreamChanged, which names what is not recognised.
    """
    text = read_text(page)
    root = parse(text)
    articles: dict[str, Article] = {}
    for number, group, category in _groups(root):
        article = _Reader(number, group, category, today).read()
        articles.setdefault(article.id, article)
        if len(articles) > MAX_ARTICLES:
            raise UpstreamChanged("the news page, with too many articles")
    if not articles and (not shows_signed_in(text) or root.select_one('[href*="fileid="]')):
        raise UpstreamChanged("the news page")
    return list(articles.values())


def _groups(root: Tag) -> Iterator[tuple[str, Tag, str | None]]:
    """Number, element and category of each article."""
    category = None
    for element in root.find_all("div"):
        names = classes(element)
        number = _GROUP.match(attribute(element, "id"))
        if "h3_bold" in names and element.find_parent(class_="accordion-group") is None:
            category = line(element) or None
        elif number:
            yield number[1], element, category
        elif "accordion-group" in names:
            raise UpstreamChanged("the number of an article on the news page")


class _Reader:
    """Reads one article."""

    def __init__(self, number: str, group: Tag, category: str | None, today: date) -> None:
        self.number, self.group, self.category, self.today = number, group, category, today

    def read(self) -> Article:
        facts = self._facts()
        author = facts.get("author", "")
        text = self._body()
        title = self._title()
        preview = self.group.find(class_="preview-block")
        short = line(preview) if preview else _shortened(line(text))
        groups = [name.strip() for name in facts.get("groups", "").split(",")]
        return Article(
            id=self.number,
            title=title,
            preview=None if short in ("", title) else short,
            category=self.category,
            author=_MARKER.sub("", author) or None,
            by_staff=_STAFF.search(author) is not None,
            html=text.decode_contents(),
            groups=tuple(filter(None, groups)),
            published=self._day("from", facts.get("published") or self._heading_day()),
            visible_until=self._day("to", facts.get("until", "")),
            question=self._question(),
            attachments=read_attachments(self._attached()),
        )

    def _title(self) -> str:
        heading = self.group.find(id=f"name{self.number}")
        heading = heading or self.group.select_one(".accordion-heading-left span")
        title = line(heading) if heading else ""
        if not title:
            raise UpstreamChanged("the heading of an article on the news page")
        return title

    def _body(self) -> Tag:
        """What is around the text. A `<p>` around other `<p>`s is closed by the parser before
        them, so the column counts where there is one."""
        text = self.group.find(class_="accordion_inner_left") or self.group.find(
            id=f"description{self.number}"
        )
        text = text or self.group.find(class_="acc-item-main")
        if text is None and self.group.find(class_="accordion_inner_right") is None:
            text = self.group.find(class_="accordion-inner")  # older pages have no columns
        if text is None:
            raise UpstreamChanged("the text of an article on the news page")
        return text

    def _facts(self) -> dict[str, str]:
        """The values of the right column, by our names."""
        facts: dict[str, str] = {}
        column = self.group.find(class_="accordion_inner_right")
        for label in column.find_all("label") if column else ():
            value = label.find_next_sibling()
            text = line(label).rstrip(":").strip().lower()
            name = next((name for name, texts in _LABELS.items() if text in texts), None)
            if name and value is not None and value.name != "label":
                facts.setdefault(name, line(value))
        return facts

    def _day(self, which: str, visible: str) -> str | None:
        """An ISO date from the hidden fields, whose months begin with 0, else from the text."""
        parts = [
            self.group.find(id=f"{which}Date{part}{self.number}")
            for part in ("Year", "Month", "Day")
        ]
        texts = [line(part) for part in parts if part is not None]
        day = None
        if len(texts) == 3 and all(re.fullmatch(r"[0-9]{1,4}", text) for text in texts):
            year, month, number = map(int, texts)
            day = day_of(year, month + 1, number)
        day = day or read_day(visible, self.today)
        return None if day is None else day.isoformat()

    def _heading_day(self) -> str:
        heading = self.group.select_one(".accordion-heading-date, .accordion-heading-date-wide")
        return line(heading) if heading else ""

    def _question(self) -> str | None:
        """What the form asks. Each article may have a form; one without a field asks nothing."""
        form = self.group.select_one('form[action*="action=update"]')
        if form is None or not form.select('input:not([type="hidden"]), textarea, select'):
            return None
        label = form.find("label")
        return (line(label) if label else "") or line(form) or None

    def _attached(self) -> Tag:
        return self.group.find(id=f"fileAttach{self.number}") or self.group


def _shortened(text: str) -> str:
    cut = text[:PREVIEW_CHARACTERS].rstrip()
    return cut if cut == text.rstrip() else f"{cut}…"
