"""Clean records made from upstream's answers. Secrets never show in a `repr`."""

from dataclasses import dataclass, field
from typing import Literal

Role = Literal["student", "teacher", "guardian"]
# Their word for each role in a path. That staff have a calendar under "teacher" is assumed.
SEGMENTS: dict[Role, str] = {"student": "student", "guardian": "parent", "teacher": "teacher"}


@dataclass(frozen=True, slots=True)
class TokenGrant:
    """An answer of the token endpoint. `expires_in` is in seconds, read from upstream."""

    access_token: str = field(repr=False)
    expires_in: int
    refresh_token: str | None = field(default=None, repr=False)
    scope: str | None = None


@dataclass(frozen=True, slots=True)
class WebSession:
    """The cookies of an upstream web session, each value checked against RFC 6265."""

    jsessionid: str = field(repr=False)
    hash: str = field(repr=False)
    usertype: str | None = None

    @property
    def cookie_header(self) -> str:
        """The value of a `Cookie` header."""
        header = f"JSESSIONID={self.jsessionid}; hash={self.hash}"
        return header if self.usertype is None else f"{header}; usertype={self.usertype}"


@dataclass(frozen=True, slots=True)
class UpstreamSession:
    """Who upstream says the caller is (`GET /rest-api/session`): the only source of identity.

    `role` follows the dialect's numbering; `user_type_id` and `user_type_name` are as sent.
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

    `password_login` is None where the list does not say; `org_id` is upstream's own number.
    """

    slug: str
    name: str
    org_id: int | None = None
    password_login: bool | None = None


@dataclass(frozen=True, slots=True)
class Alternative:
    """One of the things to choose from in a dish; `label` is their marker, without its colon."""

    label: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Dish:
    """What is served. `dish` is their text with plain line ends, `alternatives` its parts."""

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
    """A line of the start page, as plain text. `id` is their number; not every item has one."""

    id: str | None
    title: str
    preview: str | None
    category: str | None


@dataclass(frozen=True, slots=True)
class Classmate:
    """A pupil of a class list. `address` has its lines joined with newlines."""

    name: str
    first_name: str
    last_name: str
    class_name: str | None
    email: str | None
    phone: str | None
    address: str | None
