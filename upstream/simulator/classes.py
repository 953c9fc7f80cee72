"""School classes and their numbers.

The number of a class is its school's organisation id followed by its index: `412` is the third
class of school 41. The ids of rooms, assignments and plannings begin with it, so that an id shows
whether it belongs to the caller's class, to another class, or to none.
"""

from dataclasses import dataclass

from upstream.simulator.people import Person
from upstream.simulator.state import State

NAMES = ("8A", "8B", "8C")


@dataclass(frozen=True, slots=True)
class SchoolClass:
    """A class of a school."""

    slug: str
    org_id: int
    index: int

    @property
    def name(self) -> str:
        return NAMES[self.index]

    @property
    def number(self) -> int:
        return self.org_id * 10 + self.index


def class_of(person: Person, state: State) -> SchoolClass:
    """The class that the person goes to, or teaches."""
    school = state.schools[person.school]
    return SchoolClass(school.slug, school.org_id, person.user_id % len(NAMES))


def classes_shown_to(person: Person, state: State) -> list[SchoolClass]:
    """The two classes that a person can choose from, their own first."""
    own = class_of(person, state)
    other = SchoolClass(own.slug, own.org_id, (own.index + 1) % len(NAMES))
    return [own, other]


def class_exists(number: int, school: SchoolClass) -> bool:
    """Whether the school of this class has a class of this number."""
    org_id, index = divmod(number, 10)
    return org_id == school.org_id and index < len(NAMES)
