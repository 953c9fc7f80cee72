"""Findings of schemathesis that are as they should be: the whole list, and why."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from schemathesis.core.transport import Response
from schemathesis.generation.case import Case as AnyCase

from wrapper_project.parsers import NUMBER_LIMIT

Case = AnyCase[Any]


@dataclass(frozen=True)
class Expected:
    """A finding that is as it should be; `when` narrows it as far as it goes."""

    operation: str
    check: str
    reason: str
    when: Callable[[Case, Response], bool]


def code_of(response: Response) -> str:
    code: str = response.json()["code"]
    return code


def beyond_the_door(value: Any) -> bool:
    """Whether a document holds NUL or a number beyond 64 bits."""
    if isinstance(value, dict):
        return any(beyond_the_door(part) for pair in value.items() for part in pair)
    if isinstance(value, list):
        return any(beyond_the_door(part) for part in value)
    if isinstance(value, str):
        return "\0" in value
    return isinstance(value, int | float) and not -NUMBER_LIMIT < value < NUMBER_LIMIT


def has_orgid(case: Case) -> bool:
    return isinstance(case.body, dict) and "orgid" in case.body


def says_what_is_missing(response: Response) -> bool:
    sentences = response.json().get("fields", {}).values()
    return {sentence for each in sentences for sentence in each} == {"This field is required."}


EXPECTED = (
    Expected(
        "any",
        "positive_data_acceptance",
        "NUL and numbers beyond 64 bits are refused anywhere, also in fields that nobody knows.",
        lambda case, response: code_of(response) == "invalid_json" and beyond_the_door(case.body),
    ),
    Expected(
        "POST /api/v2/callback",
        "positive_data_acceptance",
        "A code and a state that nobody gave out are of the right form, and 400 all the same.",
        lambda case, response: code_of(response) == "invalid_attempt",
    ),
    Expected(
        "any",
        "positive_data_acceptance",
        "No form of text says that it is one emoji, or a date of these years.",
        lambda case, response: (
            "/api/countdowns" in case.operation.path
            and code_of(response) == "invalid_input"
            and set(response.json()["fields"]) <= {"emoji", "targetDate"}
        ),
    ),
    Expected(
        "any",
        "positive_data_acceptance",
        "A cursor is any text to a client, and one that nobody gave out is 400.",
        lambda case, response: set(response.json().get("fields", ())) == {"cursor"},
    ),
    Expected(
        "any",
        "positive_data_acceptance",
        "Which node may stand in which is said in words: made-up documents are seldom documents.",
        lambda case, response: (
            "/api/notes" in case.operation.path
            and isinstance(case.body, dict)
            and isinstance(case.body.get("content"), dict)
            and set(response.json().get("fields", ())) == {"content"}
        ),
    ),
    Expected(
        "any",
        "positive_data_acceptance",
        "One of two ways to say who is meant must be taken, which one is free.",
        lambda case, response: (
            case.operation.label
            in {"PATCH /api/friends", "DELETE /api/friends", "DELETE /api/blocks"}
            and says_what_is_missing(response)
        ),
    ),
    Expected(
        "any",
        "negative_data_rejection",
        "The query says who is meant, the body may; what its Content-Type says is never read.",
        lambda case, response: (
            case.operation.label in {"DELETE /api/friends", "DELETE /api/blocks"}
            and response.status_code == 200
        ),
    ),
    Expected(
        "any",
        "positive_data_acceptance",
        "1e16 is a whole number to a schema, and to nobody who counts versions.",
        lambda case, response: (
            "/api/notes" in case.operation.path
            and set(response.json().get("fields", ())) == {"version"}
        ),
    ),
    Expected(
        "PATCH /api/group-invites",
        "positive_data_acceptance",
        "The invite must be named, and one of two ways to answer it taken, which one is free.",
        lambda case, response: (
            set(response.json().get("fields", ())) <= {"accept", "inviteId"}
            and code_of(response) == "invalid_input"
        ),
    ),
    Expected(
        "POST /api/conversations",
        "positive_data_acceptance",
        "Which fields count depends on whether it is a group; only a group can be encrypted.",
        lambda case, response: (
            code_of(response) == "invalid_input"
            and set(response.json()["fields"])
            <= {"targetUsername", "groupName", "members", "encrypted", "encryption"}
        ),
    ),
    Expected(
        "PATCH /api/conversations/{conversation_id}",
        "positive_data_acceptance",
        "No form of a number says how many messages there are.",
        lambda case, response: set(response.json().get("fields", ())) == {"seq"},
    ),
    Expected(
        "POST /api/reports",
        "positive_data_acceptance",
        "What is reported decides whether there is something to disclose.",
        lambda case, response: set(response.json().get("fields", ())) == {"disclosed"},
    ),
    Expected(
        "POST /api/login",
        "not_a_server_error",
        "`orgid` goes upstream as it is; what the school's system then answers is not ours.",
        lambda case, response: has_orgid(case) and code_of(response) == "upstream_invalid",
    ),
    Expected(
        "PUT /api/profile",
        "positive_data_acceptance",
        "No form of text says that it is the address of a picture of one's own.",
        lambda case, response: (
            code_of(response) == "invalid_input"
            and set(response.json()["fields"]) <= {"pfpUrl", "coverUrl"}
        ),
    ),
    Expected(
        "any",
        "positive_data_acceptance",
        "A file is a picture or is not; no schema says which.",
        lambda case, response: (
            case.operation.label in {"POST /api/profile/picture", "POST /api/pfp-upload"}
            and set(response.json().get("fields", ())) == {"image"}
        ),
    ),
    Expected(
        "GET /api/conversations/{conversation_id}/messages",
        "positive_data_acceptance",
        "A page goes one of three ways; a document of parameters cannot say so.",
        lambda case, response: (
            len((case.query or {}).keys() & {"before", "after", "changedAfter"}) > 1
            and code_of(response) == "invalid_input"
        ),
    ),
    Expected(
        "any",
        "positive_data_acceptance",
        "Which fields count depends on the action, or on the kind of card; no form of text says "
        "that it is one emoji.",
        lambda case, response: (
            case.operation.path.startswith("/api/conversations/")
            and (
                says_what_is_missing(response)
                or set(response.json().get("fields", ())) == {"emoji"}
            )
        ),
    ),
)
