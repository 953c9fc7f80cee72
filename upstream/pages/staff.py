"""Parses the staff page: tables below headings, one row a person, columns known by their heads."""

import re
from collections.abc import Iterator
from typing import Final

from bs4 import Tag

from upstream.errors import UpstreamChanged
from upstream.page_records import StaffMember
from upstream.pages.html import (
    Page,
    attribute,
    classes,
    line,
    lines,
    parse,
    read_text,
    shows_signed_in,
)

MAX_PEOPLE: Final = 1000

_COLUMNS: Final = {
    "name": re.compile(r"namn|name", re.I),
    "roles": re.compile(r"roll|role", re.I),
    "phone": re.compile(r"tele|phone|mobil", re.I),
    "email": re.compile(r"e-?post|e-?mail", re.I),
}


def read_staff(page: Page) -> list[StaffMember]:
    """The staff in page order. Somebody in several sections is one person, with all their roles.

    Raises: SessionDead for the login page; UpstreamChanged, which names what is not recognised.
    """
    text = read_text(page)
    root = parse(text)
    staff: dict[str, StaffMember] = {}
    for cells in _rows(root):
        person = _person(cells)
        if not person.name:
            continue
        # Names come in two orders, and two people may have one name: an address is better.
        key = (person.email or person.name).lower()
        known = staff.get(key)
        staff[key] = person if known is None else _merged(known, person)
        if len(staff) > MAX_PEOPLE:
            raise UpstreamChanged("the staff page, with too many people")
    if not staff and (not shows_signed_in(text) or root.find(class_="name_bold")):
        raise UpstreamChanged("the staff page")
    return list(staff.values())


def _rows(root: Tag) -> Iterator[dict[str, Tag]]:
    """The cells of each person, by column."""
    for table in root.find_all("table"):
        columns: dict[str, int] = {}
        for row in table.find_all("tr"):
            cells = row.find_all(["td", "th"])
            if "longlistheader" in classes(row):
                heads = [line(cell) for cell in cells]
                columns = {
                    name: place
                    for name, pattern in _COLUMNS.items()
                    for place, head in reversed([*enumerate(heads)])
                    if pattern.search(head)
                }
                if "name" not in columns:
                    raise UpstreamChanged("the columns of the staff page")
            elif row.find(class_="name_bold"):
                known = columns or {"name": 0}
                yield {name: cells[at] for name, at in known.items() if at < len(cells)}


def _person(cells: dict[str, Tag]) -> StaffMember:
    last_name = cells["name"].find(class_="name_bold")
    last = line(last_name) if last_name else ""
    whole = line(cells["name"])
    first = whole.removeprefix(last).strip(" ,")
    contact = {
        name: _contact(cells[name]) if name in cells else None for name in ("email", "phone")
    }
    return StaffMember(
        name=f"{first} {last}".strip(),
        first_name=first,
        last_name=last,
        roles=tuple(lines(cells["roles"])) if "roles" in cells else (),
        email=contact["email"] if "@" in (contact["email"] or "") else None,
        phone=contact["phone"],
    )


def _contact(cell: Tag | None) -> str | None:
    if cell is None:
        return None
    link = cell.find("a", href=re.compile(r"^(?:mailto|tel):", re.I))
    address = attribute(link, "href").partition(":")[2].partition("?")[0] if link else ""
    return (line(cell) or address).strip() or None


def _merged(known: StaffMember, other: StaffMember) -> StaffMember:
    return StaffMember(
        name=known.name,
        first_name=known.first_name,
        last_name=known.last_name,
        roles=tuple(dict.fromkeys((*known.roles, *other.roles))),
        email=known.email or other.email,
        phone=known.phone or other.phone,
    )
