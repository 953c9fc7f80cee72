"""Settings: how the simulated school system behaves, and which forms of its data it shows."""

from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

Charset = Literal["iso-8859-1", "utf-8", "no-charset", "no-header"]
ClassPage = Literal[
    "A", "B", "C", "D", "single-column", "no-contact", "hidden", "hidden-redirect", "unknown"
]
LunchWeek = Literal[
    "usual", "full", "missing-days", "no-dishes", "several", "veg-marker", "none", "object"
]
StartPage = Literal["box", "no-box", "empty-box", "bare-links", "accordion"]


@dataclass
class SimulatorSettings:
    """Times are in seconds. `set` checks the name, and a value that has one of several names;
    tests may also simply assign."""

    # --- login and session ---
    code_seconds: float = 60
    token_seconds: int = 2_592_000
    refresh_tokens: bool | None = None
    """None: not in the specified dialect, always in the observed one."""
    bearer_session: bool = False
    """True: `/rest-api/session` also takes a Bearer token."""

    # --- the school's own sign-in page ---
    authorize: Literal[
        "ok", "no-callback", "other-state", "more-parameters", "error", "only-saml"
    ] = "ok"
    """What comes back after somebody has signed in. `only-saml`: the page offers nothing else."""
    saml: Literal["ok", "refused", "no-relay-state"] = "ok"
    """What the identity provider says, and whether it returns the RelayState."""
    methods_form: Literal["numbers", "texts", "objects"] = "numbers"
    token_kind: Literal["own", "STUDENT", "PARENT", "none"] = "own"  # noqa: S105
    """The `user_type` that a token names."""
    refresh_reuse: Literal["refused", "tolerated", "kills"] = "refused"
    """What a refresh token does that was used before; `kills`: it ends the person's others."""
    bridge_userid: Literal["unneeded", "needed"] = "unneeded"
    """Whether a pupil's bridge wants `userid`."""
    bridge_org: Literal["checked", "ignored"] = "checked"
    """Whether a wrong `orgid` is refused."""
    bridge_location: Literal["relative", "http"] = "relative"
    """Where the bridge redirects to, which must not be followed."""

    # --- guardians ---
    web_sessions: Literal["many", "one"] = "many"
    """Whether a new web session ends the person's older ones."""
    unknown_child: Literal["404", "ignored", "accepted"] = "ignored"
    """What a switch to somebody who is not a child of the guardian does. Accepted: the session then
    shows that pupil."""
    bridge_child: Literal["heeded", "ignored"] = "heeded"
    """Whether the bridge takes `childInFocus`."""
    bridge_without_child: Literal["refused", "accepted"] = "refused"
    """A guardian's bridge that names no child."""

    # --- pages and roles ---
    charset: Charset = "iso-8859-1"
    """The bytes are windows-1252, except for utf-8."""
    foreign: Literal["403", "404"] = "403"
    """The status for a room or an assignment of another class; unknown ids always give 404."""

    # --- weeks and lunch ---
    lesson_noise: bool = False
    """Whether lessons come in another order and other colours each time."""
    attendance: Literal["present", "mixed"] = "present"
    """Mixed: absence of every kind, also of unknown ones."""
    lunch: LunchWeek = "usual"
    lunch_page: Literal["parallel", "plain", "no-table", "no-menu"] = "parallel"

    # --- news ---
    start_page: StartPage = "box"
    news_items: int = 12
    """How many items, not counting the odd rows of the box."""
    news_dates: Literal["hidden", "visible", "none"] = "hidden"
    """Whether the news page has machine-readable dates, those for people only, or none."""

    # --- the menu ---
    menu: Literal["usual", "none"] = "usual"

    # --- messages ---
    messages: int = 7
    """How many; a greater number adds newer ones."""
    message_days: int = 9
    """The days between one and the next; the newest is of today."""

    # --- files ---
    file_bytes: int = 0
    """Files are filled up to this size."""
    file_names: Literal["disposition", "address"] = "disposition"
    """Where a file's name is, beside the page: in a header, or only in the address."""

    # --- subject rooms ---
    rooms: int = 12
    broken_room: int | None = None
    """The index of the room whose entities give 500; 0 is the first."""
    teachers: Literal["mixed", "null", "duplicate"] = "mixed"

    # --- assignments ---
    week_assignments: Literal["usual", "odd"] = "usual"
    descriptions: Literal["mixed", "script", "plain", "null"] = "mixed"
    missing_parts: Literal["none", "404", "403", "empty"] = "none"
    """How every part of an assignment except its view responds."""
    enums: Literal["known", "unknown"] = "known"
    results: Literal["usual", "odd"] = "usual"
    """Odd: rows of the list that are harder to read, and homework, which has no assessment."""

    # --- the calendar beside lessons ---
    two_groups: bool = True
    """Whether a test comes once for each of two groups."""
    dated_entities: Literal["usual", "odd"] = "usual"
    events: Literal["usual", "none", "wrapped"] = "usual"
    event_ends: Literal["inclusive", "exclusive"] = "inclusive"
    """What the last day of a whole-day event is."""

    # --- people ---
    class_page: ClassPage = "A"

    def set(self, name: str, value: Any) -> None:
        """Raises: ValueError for a setting or a value that does not exist."""
        hints = get_type_hints(SimulatorSettings)
        if name not in hints:
            raise ValueError(f"no setting {name!r}")
        hint = hints[name]
        if get_origin(hint) is Literal and value not in get_args(hint):
            raise ValueError(f"{name} is one of {', '.join(get_args(hint))}")
        setattr(self, name, value)

    def changed(self) -> dict[str, Any]:
        """The settings that differ from their defaults."""
        defaults = asdict(type(self)())
        return {name: value for name, value in asdict(self).items() if value != defaults[name]}

    @classmethod
    def choices(cls) -> dict[str, Any]:
        """Every setting with the values it can have, or its default."""
        hints = get_type_hints(cls)
        return {
            field.name: list(get_args(hints[field.name]))
            if get_origin(hints[field.name]) is Literal
            else field.default
            for field in fields(cls)
        }
