"""The pupils and the staff of a school, as the class list and the staff page show them.

The demo people are among their classmates; the others are invented, the same every time. Some
have no address, no e-mail or no telephone.
"""

from dataclasses import dataclass
from functools import lru_cache
from random import Random

from upstream.simulator.classes import NAMES, SchoolClass
from upstream.simulator.people import School

_FIRST = [
    "Ågot", "Björn", "Amélie", "Noor", "Ängla", "Örjan", "Siri", "Hugo", "Lo", "Märta",
    "Anna Maria", "Malte", "Jean-Luc", "Ebba", "Yusuf", "Åke", "Saga", "Øystein", "Tyra", "Zelda",
    "Ivar", "Frédérique", "Olle", "Wilma",
]  # fmt: skip
_LAST = [
    "Sjölin", "Åkerblom", "D’Angelo", "Nyström", "von Sydow", "Müller–Öhman", "Ek", "Berg",
    "Håkansson", "Çelik", "Löfgren", "O'Hara", "Dvořák",
]  # fmt: skip
_SIZE = 24


@dataclass(frozen=True, slots=True)
class Contact:
    """A person on a page. Unknown fields are empty; address lines are separated by newlines."""

    first: str
    last: str
    email: str = ""
    phone: str = ""
    address: str = ""
    roles: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"


STAFF = {
    "Mentorer": [
        Contact("Torbjörn", "Ekvik", "torbjorn.ekvik@{slug}.example", roles=("Mentor",)),
        Contact("Åsa", "Lindroos", "asa.lindroos@{slug}.example", "0371-104 21"),
    ],
    "Lärare": [
        Contact("Torbjörn", "Ekvik", "torbjorn.ekvik@{slug}.example", roles=("Lärare", "Mentor")),
        Contact("Per-Olof", "Hägg", roles=("Lärare",)),
        Contact("Ingrid", "Wallin Öberg", "ingrid.wallin@{slug}.example", roles=("Lärare",)),
    ],
    "Skolledare": [
        Contact(
            "Görel", "Wästlund", "gorel.wastlund@{slug}.example", "0371-104 00", roles=("Rektor",)
        )
    ],
}


def pupils_of(school_class: SchoolClass, school: School) -> list[Contact]:
    """Sorted by first name. Always an odd number, so that the last row of a page is half empty."""
    known = [
        Contact(person.first_name, person.last_name, person.email)
        for person in school.people.values()
        if person.role == "student" and person.user_id % len(NAMES) == school_class.index
    ]
    others = _invented(school_class)
    if (len(known) + len(others)) % 2 == 0:
        others = others[1:]
    return sorted([*known, *others], key=lambda pupil: pupil.first)


@lru_cache(maxsize=64)
def _invented(school_class: SchoolClass) -> list[Contact]:
    rng = Random(f"{school_class.slug}/class/{school_class.index}")  # noqa: S311 - repeatable
    return [
        _pupil(number, first, rng, school_class.slug)
        for number, first in enumerate(rng.sample(_FIRST, _SIZE))
    ]


def _pupil(number: int, first: str, rng: Random, slug: str) -> Contact:
    last = _LAST[number % len(_LAST)]
    address = f"Granvägen {rng.randrange(1, 90)}\n{rng.randrange(100, 999)} 45\u00a0Björkdalen"
    return Contact(
        first,
        last,
        "" if number % 7 == 3 else f"elev{slug[0]}{number}@elev.{slug}.example",
        "" if number % 5 == 2 else f"070-174 {number:02d} {rng.randrange(10, 99)}",
        "" if number % 6 == 1 else address,
    )
