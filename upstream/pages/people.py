"""Parses the class list, which has four known layouts.

In all of them each person is a `div.display-info` block, and headings above the tables say who the
people are. Staff may be listed below the pupils, in the same kind of blocks.
"""

import re
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import unquote

from bs4 import Tag

from upstream.errors import UpstreamChanged
from upstream.pages.html import Page, attribute, classes, line, lines, parse, read_text
from upstream.records import Classmate

MAX_LINKS: Final = 300
MAX_PEOPLE: Final = 500

_PUPILS: Final = re.compile(r"(?:elev(?:er)?|students?|pupils?)\b[\s:,–-]*", re.IGNORECASE)
_STAFF: Final = re.compile(
    r"(?:personal|lärare|mentor|skolledning|skolledare|rektor|assistent|vårdnadshavare|föräld"
    r"|staff|teacher|principal|head|guardian|parent)",
    re.IGNORECASE,
)
_CLASS: Final = re.compile(r"(?:klass|class)\s+(\S.{0,40})\Z", re.IGNORECASE)
# The "(b)" of "070-174 06 05 (b)", whose meaning is not known.
_MARKER: Final = re.compile(r"\s*\([a-zåäö]{1,3}\.?\)\Z", re.IGNORECASE)
# A link to a class in a menu.
_CHOICE: Final = (
    ":is(.dropdown-menu, #contAll, #contAll_content) li "
    'a[href*="requestid="]:is([href^="?"], [href*="right_student_class"])'
)
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
    fields: dict[str, Tag] = field(default_factory=dict)
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
        if _choices(root):
            return []
        raise UpstreamChanged("the class page")
    blocks = _people(scope)
    if len(blocks) > MAX_PEOPLE:
        raise UpstreamChanged("a list of too many people")
    people = [person for person in blocks if person.name]
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
    for link in _choices(parse(read_text(page))):
        number = _NUMBER.search(attribute(link, "href"))
        if number:
            name = line(link)
            named = _CLASS.match(name)
            class_link = ClassLink(int(number[1]), named[1] if named else name or None)
            chosen.setdefault(class_link.id, class_link)
    return list(chosen.values())


def _choices(root: Tag) -> list[Tag]:
    links = list(root.select(_CHOICE, limit=MAX_LINKS + 1))
    if len(links) > MAX_LINKS:
        raise UpstreamChanged("a choice of too many classes")
    return links


def _scope(root: Tag) -> Tag | None:
    """The element with the lists. Ids repeat, so the outermost one that exists is used."""
    container = root.find(class_="h2_container")
    return (
        root.find(id="contAll")
        or root.find(id=["contAll_content", "_content"])
        or (container and container.parent)
    )


def _people(scope: Tag) -> list[_Person]:
    """Every person in page order.

    A field belongs to the block that began last: blocks are nested where a `</div>` is missing.
    """
    people: list[_Person] = []
    section = _Section()
    current: _Person | None = None
    for element in scope.find_all(["div", "table", "a", "span", "p"]):
        names = classes(element)
        if element.name == "table" or "h2" in names or "h3_bold" in names:
            section, current = _section_after(section, element, names), None
        elif "display-info" in names:
            current = _Person(section)
            people.append(current)
        elif current is not None:
            kind = attribute(element, "id")
            if kind not in _FIELDS and "heading_bold" in names:
                kind = "name"
            if kind in _FIELDS:
                current.fields.setdefault(kind, element)
            elif element.name == "a" and current.email is None:
                current.email = _mail(attribute(element, "href"))
    return people


def _section_after(section: _Section, element: Tag, names: list[str]) -> _Section:
    """The section in a new table, or below a heading: "Klass 8C", "Elever 8C", "Personal"."""
    if element.name == "table":
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


def _holds_text(scope: Tag) -> bool:
    """Whether anything looks like a person: not column headings, not "there are no pupils"."""
    return any(line(block) for block in scope.find_all(class_="display-info")) or any(
        " " in line(cell)
        for cell in scope.find_all("td")
        if cell.find(True) and "longlistheader" not in classes(cell.parent)
    )


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
