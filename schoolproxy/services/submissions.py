"""Where an assignment stands, in words of ours beside upstream's."""

from collections.abc import Iterable
from typing import Any, Final, Literal

Submission = Literal["not_required", "open", "submitted", "late", "missing", "unknown"]
Row = dict[str, Any]

SUBMISSIONS: Final[dict[str, Submission]] = {
    "NO_STATUS": "not_required",
    "NOT_SUBMITTED": "open",
    "SUBMITTED": "submitted",
    "FINISHED": "submitted",
    "EXPIRED_SUBMITTED": "submitted",
    "LATE": "late",
    "EXPIRED_NOT_SUBMITTED": "missing",
}
WORDS: Final = (*dict.fromkeys(SUBMISSIONS.values()), "unknown")


def submission_of(status: object) -> Submission:
    """The word for a `submissionStatus` of upstream: `unknown` for one that is not known, a number
    or nothing."""
    return SUBMISSIONS.get(status, "unknown") if isinstance(status, str) else "unknown"


def with_submissions(rows: Iterable[Row]) -> list[Row]:
    """The rows of a list of assignments, each with its `submission`. A planning has none."""
    return [
        row
        if row.get("entityType") == "PLANNING"
        else row | {"submission": submission_of(row.get("submissionStatus"))}
        for row in rows
    ]
