"""Parses the class list, which has four known layouts.

In all of them each person is a `div.display-info` block, and headings above the tables say who the
people are. Staff may be listed below the pupils, in the same kind of blocks.
"""

import re
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import unquote

from upstream.errors import UpstreamChanged
from upstream.pages.html import Element, Page, classes, find, line, lines, parse, read_text
from upstream.records import Classmate

MAX_LINKS: Final = 300

_PUPILS: Final = re.compile(r"(?:elev(?:er)?|students?|pupils?)\b[\s:,–-]*", re.IGNORECASE)
_STAFF: Final = re.compile(
    r"(?:personal|lärare|mentor|skolledning|skolledare|rektor|assistent|vårdnadshavare|föräld"
    r"|staff|teacher|principal|head|guardian|parent)",
    re.IGNORECASE,
)
_CLASS: Final = re.compile(r"(?:klass|class)\s+(\S.{0,40})\Z", re.IGNORECASE)
# The "(b)" of "070-174 06 05 (b)", whose meaning is not known.
_MARKER: Final = re.compile(r"\s*\([a-zåäö]{1,3}\.?\)\Z", re.IGNORECASE)
_NUMBER: Final = re.compile(r"[?&;]requestid=(\d{1,18})(?!\d)")


@dataclass(frozen=True, slots=True)
class ClassLink:
    """A class on the page where some schools let people choose a class first."""

    id: int
    name: str | None


@dataclass(frozen=True, slots=True)
class _Section:
    """A position on the page: box, table, and what the headings above say."""

    box: int = 0
    table: int = 0
    class_name: str | None = None
    # None if no heading says whether these are pupils.
    pupils: bool | None = None


@dataclass(slots=True)
class _Person:
    """A person while the block is read. The first element of a repeated id counts."""

    section: _Section
    fields: dict[str, Element] = field(default_factory=dict)
    email: str | None = None

    @property
    def name(self) -> str:
        return line(self.fields["name"]) if "name" in self.fields else ""


_FIELDS: Final = frozenset({"name", "phone", "email", "address", "role"})


def read_class(page: Page, *, class_name: str | None = None) -> list[Classmate]:
    """The pupils in page order; none if the school hides them or asks for a choice of class.

    `class_name` is used for a page that does not name its class.

    Raises: SessionDead for the login page; UpstreamChanged for a page that is not recognised, or
    a table whose text cannot be read.
    """
    root = parse(read_text(page))
    scope = _scope(root)
    if scope is None:
        if any(_in_menu(link) for link in _class_links(root)):
            return []
        raise UpstreamChanged("the class page")
    people = [person for person in _people(scope) if person.name]
    if not people and _holds_text(scope):
        raise UpstreamChanged("the class list")
    return [_classmate(person, class_name) for person in _pupils(people)]


def _pupils(people: list[_Person]) -> list[_Person]:
    """The people below a heading for pupils, or else the first table of each box."""
    if any(person.section.pupils for person in people):
        return [person for person in people if person.section.pupils]
    unknown = [p for p in people if p.section.pupils is None and "role" not in p.fields]
    first: dict[int, int] = {}
    for person in unknown:
        first.setdefault(person.section.box, person.section.table)
    return [person for person in unknown if person.section.table == first[person.section.box]]


def read_chooser(page: Page) -> list[ClassLink]:
    """The classes that a page offers for choice, each once. Raises: as `read_class`."""
    chosen: dict[int, ClassLink] = {}
    for link in _class_links(parse(read_text(page))):
        number = _NUMBER.search(link.get("href") or "")
        if number and _in_menu(link):
            name = line(link)
            named = _CLASS.match(name)
            one = ClassLink(int(number[1]), named[1] if named else name or None)
            chosen.setdefault(one.id, one)
    return list(chosen.values())


def _class_links(root: Element) -> list[Element]:
    links = []
    for link in root.iter("a"):
        href = link.get("href") or ""
        if "requestid=" in href and (href.startswith("?") or "right_student_class" in href):
            links.append(link)
            if len(links) > MAX_LINKS:
                raise UpstreamChanged("a choice of too many classes")
    return links


def _in_menu(link: Element) -> bool:
    above = list(link.iterancestors())
    return any(element.tag == "li" for element in above) and any(
        "dropdown-menu" in classes(element) or element.get("id") in ("contAll", "contAll_content")
        for element in above
    )


def _scope(root: Element) -> Element | None:
    """The element with the lists. Ids repeat, so the outermost one that exists is used."""
    for path in (
        '//*[@id="contAll"]',
        '//*[@id="contAll_content" or @id="_content"]',
        '//*[contains(concat(" ", @class, " "), " h2_container ")]/..',
    ):
        found = find(root, path)
        if found:
            return found[0]
    return None


def _people(scope: Element) -> list[_Person]:
    """Every person in page order.

    A field belongs to the block that began last: blocks are nested where a `</div>` is missing.
    """
    people: list[_Person] = []
    section = _Section()
    current: _Person | None = None
    for element in scope.iter("div", "table", "a", "span", "p"):
        names = classes(element)
        if element.tag == "table" or "h2" in names or "h3_bold" in names:
            section, current = _section_after(section, element, names), None
        elif "display-info" in names:
            current = _Person(section)
            people.append(current)
        elif current is not None:
            kind = element.get("id") or ""
            if kind not in _FIELDS and "heading_bold" in names:
                kind = "name"
            if kind in _FIELDS:
                current.fields.setdefault(kind, element)
            elif element.tag == "a" and current.email is None:
                current.email = _mail(element.get("href") or "")
    return people


def _section_after(section: _Section, element: Element, names: list[str]) -> _Section:
    """The section in a new table, or below a heading: "Klass 8C", "Elever 8C", "Personal"."""
    if element.tag == "table":
        return replace(section, table=section.table + 1)
    heading = line(element)
    named = _CLASS.match(heading)
    if "h2" in names:
        return _Section(section.box + 1, section.table, named[1] if named else None)
    pupils = _PUPILS.match(heading)
    if pupils:
        rest = heading[pupils.end() :]
        again = _CLASS.match(rest)
        return replace(
            section, pupils=True, class_name=again[1] if again else rest or section.class_name
        )
    if named:
        return replace(section, pupils=True, class_name=named[1])
    return replace(section, pupils=False if _STAFF.match(heading) else None)


def _holds_text(scope: Element) -> bool:
    """Whether anything looks like a person: not column headings, not "there are no pupils"."""
    cells = find(scope, './/td[* and not(parent::tr[contains(@class, "longlistheader")])]')
    blocks = find(scope, './/*[contains(@class, "display-info")]')
    return any(" " in line(cell) for cell in cells) or any(line(block) for block in blocks)


def _classmate(person: _Person, class_name: str | None) -> Classmate:
    name, fields = person.name, person.fields
    first, _, last = name.rpartition(" ")
    email = line(fields["email"]) if "email" in fields else ""
    phone = _MARKER.sub("", line(fields["phone"])) if "phone" in fields else ""
    address = "\n".join(lines(fields["address"])) if "address" in fields else ""
    return Classmate(
        name=name,
        first_name=first or name,
        last_name=last if first else "",
        class_name=person.section.class_name or class_name,
        email=person.email or (email if _is_address(email) else None),
        phone=phone or None,
        address=address or None,
    )


def _mail(href: str) -> str | None:
    """The address of a `mailto:` link, without its `?subject=`."""
    scheme, _, rest = href.strip().partition(":")
    address = unquote(rest.partition("?")[0]).strip()
    return address if scheme.lower() == "mailto" and _is_address(address) else None


def _is_address(text: str) -> bool:
    name, _, domain = text.rpartition("@")
    return bool(name and domain) and text.isprintable() and " " not in text
