"""All findings of schemathesis that are accepted, and why."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from schemathesis.core.transport import Response
from schemathesis.generation.case import Case as AnyCase

from accounts.strict_json import NUMBER_LIMIT

Case = AnyCase[Any]


@dataclass(frozen=True)
class Expected:
    """An accepted finding; `when` narrows it down."""

    operation: str
    check: str
    reason: str
    when: Callable[[Case, Response], bool]


def code_of(response: Response) -> str:
    code: str = response.json()["code"]
    return code


def has_refused_values(value: Any) -> bool:
    """Whether a document holds NUL or a number beyond 64 bits."""
    if isinstance(value, dict):
        return any(has_refused_values(part) for pair in value.items() for part in pair)
    if isinstance(value, list):
        return any(has_refused_values(part) for part in value)
    if isinstance(value, str):
        return "\0" in value
    return isinstance(value, int | float) and not -NUMBER_LIMIT < value < NUMBER_LIMIT


def has_null(value: Any, names: set[str]) -> bool:
    """Whether a value of one of these names is null, at any depth."""
    if isinstance(value, dict):
        return any(
            (part is None and name in names) or has_null(part, names)
            for name, part in value.items()
        )
    return isinstance(value, list) and any(has_null(part, names) for part in value)


def has_attributes(value: Any) -> bool:
    """Whether a node or mark has attributes, at any depth."""
    if isinstance(value, dict):
        return bool(value.get("attrs")) or any(map(has_attributes, value.values()))
    return isinstance(value, list) and any(map(has_attributes, value))


def is_about_what_cannot_be_seen(response: Response) -> bool:
    """Whether each field is refused because nothing in it can be seen, or something cannot."""
    sentences = response.json().get("fields", {}).values()
    said = {sentence for each in sentences for sentence in each}
    return bool(said) and said <= {
        "This field may not be blank.",
        "This must be one line of plain text.",
        "This must be plain text.",
    }


def says_what_is_missing(response: Response) -> bool:
    sentences = response.json().get("fields", {}).values()
    return {sentence for each in sentences for sentence in each} == {"This field is required."}


EXPECTED = (
    Expected(
        "any",
        "positive_data_acceptance",
        "A schema cannot say which characters can be seen.",
        lambda case, response: is_about_what_cannot_be_seen(response),
    ),
    Expected(
        "any",
        "positive_data_acceptance",
        "NUL and numbers beyond 64 bits are refused, even in unknown fields.",
        lambda case, response: (
            code_of(response) == "invalid_json" and has_refused_values(case.body)
        ),
    ),
    Expected(
        "GET /api/v2/authorize",
        "positive_data_acceptance",
        "A schema cannot say which addresses are listed, which paths are ours, which school offers "
        "what, and that an app sends all three of its fields or none.",
        lambda case, response: (
            code_of(response) == "method_not_offered"
            or says_what_is_missing(response)
            or set(response.json().get("fields", ())) <= {"redirectUri", "return", "school"}
        ),
    ),
    Expected(
        "GET /api/attendance",
        "positive_data_acceptance",
        "A schema cannot say which year the nearest week of a number is in.",
        lambda case, response: set(response.json().get("fields", ())) == {"year"},
    ),
    Expected(
        "any",
        "positive_data_acceptance",
        "A schema cannot say in which order two days are, and how far apart.",
        lambda case, response: (
            case.operation.path in ("/api/exams", "/api/calendar")
            and set(response.json().get("fields", ())) <= {"from", "to"}
        ),
    ),
    Expected(
        "PATCH /api/notifications/settings",
        "positive_data_acceptance",
        "A schema cannot say that two times of day are different.",
        lambda case, response: set(response.json().get("fields", ())) == {"quietHours.to"},
    ),
    Expected(
        "DELETE /api/account",
        "positive_data_acceptance",
        "Only who signed in through the school's own page may leave out the password.",
        lambda case, response: set(response.json().get("fields", ())) == {"password"},
    ),
    Expected(
        "POST /api/v2/callback",
        "positive_data_acceptance",
        "A made-up code and state have the right format, but are unknown.",
        lambda case, response: code_of(response) == "invalid_attempt",
    ),
    Expected(
        "any",
        "positive_data_acceptance",
        "A schema cannot say that a text is one emoji, or a date in these years.",
        lambda case, response: (
            "/api/countdowns" in case.operation.path
            and code_of(response) == "invalid_input"
            and set(response.json()["fields"]) <= {"emoji", "targetDate"}
        ),
    ),
    Expected(
        "any",
        "positive_data_acceptance",
        "A cursor is an opaque text; a made-up one is 400.",
        lambda case, response: set(response.json().get("fields", ())) == {"cursor"},
    ),
    Expected(
        "POST /api/notifications/read",
        "positive_data_acceptance",
        "Of the three, one is given: a schema that says so leaves room for a second, wrong one.",
        lambda case, response: set(response.json().get("fields", ())) <= {"id", "upTo", "all"},
    ),
    Expected(
        "POST /api/push/subscriptions",
        "positive_data_acceptance",
        "A schema cannot say which hosts the operator allows, and what is a point on P-256.",
        lambda case, response: (
            code_of(response) == "push_endpoint_refused"
            or set(response.json().get("fields", ())) <= {"keys.p256dh", "keys.auth"}
        ),
    ),
    Expected(
        "any",
        "positive_data_acceptance",
        "Only guardians choose a child, and a schema cannot say who asks.",
        lambda case, response: code_of(response) == "child_not_allowed",
    ),
    Expected(
        "any",
        "positive_data_acceptance",
        "A schema cannot say which links are safe, and how deep nodes are nested.",
        lambda case, response: (
            "/api/notes" in case.operation.path
            and isinstance(case.body, dict)
            and isinstance(case.body.get("content"), dict)
            and set(response.json().get("fields", ())) == {"content"}
        ),
    ),
    Expected(
        "any",
        "negative_data_rejection",
        "Null for these parts of a node means that it has none. No answer has such a null.",
        lambda case, response: (
            "/api/notes" in case.operation.path
            and isinstance(case.body, dict)
            and has_null(case.body.get("content"), {"attrs", "content", "marks"})
        ),
    ),
    Expected(
        "any",
        "negative_data_rejection",
        "Attributes of nodes and marks may be written as editors do; the answer has no such value.",
        lambda case, response: (
            "/api/notes" in case.operation.path
            and isinstance(case.body, dict)
            and has_attributes(case.body.get("content"))
        ),
    ),
    Expected(
        "any",
        "positive_data_acceptance",
        "One of two ways to name the person is required.",
        lambda case, response: (
            case.operation.label
            in {"PATCH /api/friends", "DELETE /api/friends", "DELETE /api/blocks"}
            and says_what_is_missing(response)
        ),
    ),
    Expected(
        "any",
        "negative_data_rejection",
        "The query names the person, so the body is optional; its Content-Type is ignored.",
        lambda case, response: (
            case.operation.label in {"DELETE /api/friends", "DELETE /api/blocks"}
            and response.status_code == 200
        ),
    ),
    Expected(
        "PATCH /api/group-invites",
        "positive_data_acceptance",
        "The invite and one of two ways to answer it are required.",
        lambda case, response: (
            set(response.json().get("fields", ())) <= {"accept", "inviteId"}
            and code_of(response) == "invalid_input"
        ),
    ),
    Expected(
        "POST /api/conversations",
        "positive_data_acceptance",
        "The required fields depend on the type; only an encrypted group has a `keyCheck`.",
        lambda case, response: (
            code_of(response) == "invalid_input"
            and set(response.json()["fields"])
            <= {"targetUsername", "groupName", "members", "encrypted", "encryption", "keyCheck"}
        ),
    ),
    Expected(
        "PATCH /api/conversations/{conversation_id}",
        "positive_data_acceptance",
        "A schema cannot say how many messages there are.",
        lambda case, response: set(response.json().get("fields", ())) == {"seq"},
    ),
    Expected(
        "POST /api/reports",
        "positive_data_acceptance",
        "Whether `disclosed` and `username` are allowed depends on what is reported.",
        lambda case, response: set(response.json().get("fields", ())) <= {"disclosed", "username"},
    ),
    Expected(
        "PUT /api/profile",
        "positive_data_acceptance",
        "A schema cannot say that a text is the URL of one's own picture.",
        lambda case, response: (
            code_of(response) == "invalid_input"
            and set(response.json()["fields"]) <= {"pfpUrl", "coverUrl"}
        ),
    ),
    Expected(
        "any",
        "positive_data_acceptance",
        "A schema cannot say that a file is a picture.",
        lambda case, response: (
            case.operation.label in {"POST /api/profile/picture", "POST /api/pfp-upload"}
            and set(response.json().get("fields", ())) == {"image"}
        ),
    ),
    Expected(
        "GET /api/conversations/{conversation_id}/messages",
        "positive_data_acceptance",
        "Only one of three parameters is allowed, which OpenAPI cannot express.",
        lambda case, response: (
            len((case.query or {}).keys() & {"before", "after", "changedAfter"}) > 1
            and code_of(response) == "invalid_input"
        ),
    ),
    Expected(
        "any",
        "positive_data_acceptance",
        "A message without a card requires a content, and `rename` one of two fields; a schema "
        "cannot say that a text is one emoji.",
        lambda case, response: (
            case.operation.path.startswith("/api/conversations/")
            and (
                (
                    says_what_is_missing(response)
                    and set(response.json()["fields"]) <= {"content", "groupName"}
                )
                or set(response.json().get("fields", ())) == {"emoji"}
            )
        ),
    ),
    Expected(
        "any",
        "negative_data_rejection",
        "`text` is not read, and so not checked, when there is `content`.",
        lambda case, response: (
            case.operation.label
            in {
                "POST /api/conversations/{conversation_id}",
                "POST /api/conversations/{conversation_id}/messages",
            }
            and isinstance(case.body, dict)
            and {"content", "text"} <= case.body.keys()
        ),
    ),
)
