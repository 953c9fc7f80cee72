"""The schools and their people. All of them are invented."""

from dataclasses import dataclass, field
from typing import Literal

Role = Literal["student", "teacher", "guardian"]


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a login. `username` is in mixed case, as upstream stores it."""

    school: str
    user_id: int
    username: str
    password: str = field(repr=False)
    first_name: str
    last_name: str
    role: Role = "student"
    email: str = ""
    children: tuple[str, ...] = ()
    """A guardian's children, usernames of the same school."""
    org_ids: tuple[int, ...] = ()
    """The organisations of the school's slug that a pupil goes to; without any, the school's."""

    @property
    def child(self) -> str | None:
        """The child in focus when a guardian signs in."""
        return next(iter(self.children), None)


@dataclass(frozen=True, slots=True)
class School:
    """A tenant. `login_methods` is the comma string of the school list; 4 is the password."""

    slug: str
    name: str
    org_id: int
    login_methods: str
    people: dict[str, Person] = field(default_factory=dict)

    @property
    def password_login(self) -> bool:
        return "4" in self.login_methods.split(",")

    def person(self, username: str) -> Person | None:
        """The person with this username, in any case."""
        return self.people.get(username.lower())

    def add(self, person: Person) -> None:
        self.people[person.username.lower()] = person


def demo_schools() -> dict[str, School]:
    """Three schools by slug, with deliberate collisions.

    `alva.lind` is two people, one at each of the first two schools; user id 730214 is Elsa at
    one and Nils at the other; Ömer has no e-mail address; granskolan takes no password: its people
    sign in through the school's own page.
    """
    schools = {
        "bjorkdalen": School("bjorkdalen", "Björkdalsskolan", 41, "0,4"),
        "nyvang": School("nyvang", "Nyvångs skola & fritidshem", 57, "4,11"),
        "granskolan": School("granskolan", "Granskolan", 63, "3"),
    }
    for person in _demo_people():
        schools[person.school].add(person)
    return schools


def _demo_people() -> list[Person]:
    return [
        _person("bjorkdalen", 730214, "Elsa Nordvall"),
        _person("bjorkdalen", 730215, "Ömer Sjölin", email=""),
        _person("bjorkdalen", 730216, "Alva Lind"),
        _person("bjorkdalen", 730217, "Bo Ek"),
        _person("bjorkdalen", 500101, "Torbjörn Ekvik", "teacher"),
        _person("bjorkdalen", 820301, "Gun Nordvall", "guardian", children=("elsa.nordvall",)),
        _person("bjorkdalen", 820302, "Eva Ek", "guardian", children=("bo.ek", "alva.lind")),
        _person("nyvang", 991002, "Alva Lind"),
        _person("nyvang", 730214, "Nils Bergqvist"),
        _person("nyvang", 730300, "Zoe Åkerman"),
        _person("nyvang", 500102, "Karin Holm", "teacher"),
        _person("granskolan", 640001, "Tove Gran"),
        _person("granskolan", 640002, "Olle Gran"),
        _person("granskolan", 640301, "Moa Gran", "guardian", children=("tove.gran", "olle.gran")),
    ]


def _person(
    school: str,
    user_id: int,
    name: str,
    role: Role = "student",
    *,
    email: str | None = None,
    children: tuple[str, ...] = (),
) -> Person:
    first, last = name.split(" ")
    address = f"{first}.{last}@{school}.example".lower().translate(_WITHOUT_DOTS)
    return Person(
        school=school,
        user_id=user_id,
        username=f"{first}.{last}",
        password=f"{first.lower()}-demo",
        first_name=first,
        last_name=last,
        role=role,
        email=address if email is None else email,
        children=children,
    )


_WITHOUT_DOTS = str.maketrans("åäö", "aao")
