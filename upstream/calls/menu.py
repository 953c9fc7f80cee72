"""What the school has switched on, by the menu of its own web pages."""

from typing import Any, Final

from upstream.client import UpstreamClient
from upstream.endpoints import MENU
from upstream.errors import NotForThisRole, UpstreamInvalid, UpstreamNotFound
from upstream.records import ProvenSession

# Of each feature: a part of the address of its item, and the keys that the menu may have for it.
# Labels say nothing: each school writes its own.
_FEATURES: Final[dict[str, tuple[tuple[str, ...], frozenset[str]]]] = {
    "news": (("right_student_news.jsp",), frozenset({"NEWS"})),
    "inbox": (("right_student_message.jsp",), frozenset({"MESSAGE", "MESSAGES"})),
    "attendance": (("right_student_absence", "/presence"), frozenset({"PRESENCE", "ABSENCE"})),
    "results": (("right_student_test_results.jsp", "/results"), frozenset({"RESULTS"})),
    "assessments": (
        ("holisticassessment", "holistic_assessment", "right_student_review", "/review"),
        frozenset({"REVIEW", "HOLISTIC_ASSESSMENT"}),
    ),
    "plannings": (("planning", "/lessons"), frozenset({"LESSON", "PLANNING"})),
    "staff": (("right_student_staff.jsp",), frozenset({"STAFF", "STAFF_LIST"})),
    "files": (("right_student_library.jsp",), frozenset({"FILE", "LIBRARY"})),
}
MAX_ITEMS: Final = 500


def fetch_features(client: UpstreamClient, *, web: ProvenSession) -> dict[str, bool | None]:
    """By feature: whether it is switched on; None where the menu does not say, or there is none.

    Raises: SessionDead, UpstreamTimeout, UpstreamUnavailable.
    """
    try:
        return read_menu(client.fetch_json(MENU, web=web))
    except (NotForThisRole, UpstreamNotFound, UpstreamInvalid):
        return dict.fromkeys(_FEATURES)


def read_menu(menu: Any) -> dict[str, bool | None]:
    """The features of a menu: groups of sections of items, each perhaps with a key."""
    features: dict[str, bool | None] = dict.fromkeys(_FEATURES)
    for addresses, key in _entries(menu):
        for feature, (parts, keys) in _FEATURES.items():
            if any(part in address for address in addresses for part in parts):
                features[feature] = True
            elif key in keys and not addresses and features[feature] is None:
                features[feature] = False
    return features


def _entries(menu: Any) -> list[tuple[list[str], str]]:
    """The addresses and the key of each section and each item, in lower and upper case."""
    entries = []
    for group in _rows(menu):
        for section in _rows(group.get("sections")):
            items = _rows(section.get("items"))
            addresses = [address for address in map(_address, items) if address]
            entries.append((addresses, str(section.get("key") or "").upper()))
            for item in items:
                own = _address(item)
                entries.append(([own] if own else [], str(item.get("id") or "").upper()))
    return entries[:MAX_ITEMS]


def _rows(value: Any) -> list[dict[str, Any]]:
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def _address(item: dict[str, Any]) -> str:
    url = item.get("url")
    return url.strip().lower() if isinstance(url, str) else ""
