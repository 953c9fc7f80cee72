"""Records made from upstream's responses. No `repr` shows a secret."""

from dataclasses import dataclass, field
from typing import Literal

Role = Literal["student", "teacher", "guardian"]
# Who can sign in through the school's own page.
PageKind = Literal["student", "guardian"]
# Upstream's word for each role in a path. That teachers' calendars are under "teacher" is assumed.
SEGMENTS: dict[Role, str] = {"student": "student", "guardian": "parent", "teacher": "teacher"}


@dataclass(frozen=True, slots=True)
class TokenGrant:
    """A token and its lifetime in seconds, as the token endpoint returns them. `user_type` is what
    the token itself says of its owner ("STUDENT", "PARENT"), if anything."""

    access_token: str = field(repr=False)
    expires_in: int
    refresh_token: str | None = field(default=None, repr=False)
    user_type: str = ""


@dataclass(frozen=True, slots=True)
class WebSession:
    """The cookies of an upstream web session."""

    jsessionid: str = field(repr=False)
    hash: str = field(repr=False)
    usertype: str | None = None


@dataclass(frozen=True, slots=True)
class ChildSchool:
    """One of a child's schools: upstream's number of the organisation, and the child's class."""

    org_id: int
    name: str
    class_name: str | None


@dataclass(frozen=True, slots=True)
class Child:
    """A child of a guardian, with its schools in upstream's order; it may have none."""

    id: int
    first_name: str
    last_name: str
    schools: tuple[ChildSchool, ...]

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip() or str(self.id)


@dataclass(frozen=True, slots=True)
class Guardian:
    """Whose a guardian's token is, according to upstream's own app interface."""

    user_id: int
    children: tuple[Child, ...]


@dataclass(frozen=True, slots=True)
class ParentHeader:
    """A guardian's children, and the child and organisation that the web session shows.

    None: upstream names none.
    """

    children: tuple[Child, ...]
    child_id: int | None
    org_id: int | None


@dataclass(frozen=True, slots=True)
class ChosenChild:
    """The child that a guardian asks for, at one school (None: the child has none)."""

    id: int
    org_id: int | None
    name: str

    @property
    def key(self) -> str:
        return f"{self.id}-{'' if self.org_id is None else self.org_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvenSession(WebSession):
    """A web session with its school, its owner's role, and the child that it is proven to show
    (None for other roles than a guardian).

    Every call for school data takes one and nothing less. Only `schoolproxy.proven_sessions` makes
    them, so no call can be written that forgets to ask whose data it gets.
    """

    school: str
    role: Role
    child: ChosenChild | None = None


@dataclass(frozen=True, slots=True)
class UpstreamSession:
    """Who the caller is, according to `GET /rest-api/session`: the only source of identity.

    The dialect derives `role` from `user_type_id` and `user_type_name`, which are as sent.
    """

    user_id: int
    user_name: str
    first_name: str
    last_name: str
    email: str
    organization_id: int | None
    organization_name: str
    role: Role
    user_type_id: int | None
    user_type_name: str


@dataclass(frozen=True, slots=True)
class School:
    """A row of the school list, one per slug.

    `password_login` is None if the list does not say. `org_ids` are upstream's numbers of the
    organisations that share the slug; empty if the list has none. The numbers of the ways in which
    pupils and guardians sign in are empty if the list has none.
    """

    slug: str
    name: str
    org_ids: tuple[int, ...] = ()
    password_login: bool | None = None
    student_methods: tuple[int, ...] = ()
    guardian_methods: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Alternative:
    """One alternative of a dish; `label` is its marker ("Vegetarisk"), without the colon."""

    label: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Dish:
    """A dish: its text with plain line ends, and the alternatives in that text."""

    dish_type: str
    dish: str
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True)
class LunchDay:
    """The dishes of a weekday: 1 is Monday, 7 is Sunday."""

    day_id: int
    dishes: tuple[Dish, ...]


@dataclass(frozen=True, slots=True)
class NewsItem:
    """A news item as plain text. `id` is upstream's number; not every item has one."""

    id: str | None
    title: str
    preview: str | None
    category: str | None


@dataclass(frozen=True, slots=True)
class Classmate:
    """A pupil in a class list. The lines of `address` are joined with newlines."""

    name: str
    first_name: str
    last_name: str
    class_name: str | None
    email: str | None
    phone: str | None
    address: str | None
