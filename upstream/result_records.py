"""Records of results. Texts of teachers are upstream's HTML, not sanitised."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class PublishedResult:
    """A row of the list of results, which has no grade. `published` is upstream's text, such as
    "2026-02-20 15:41"."""

    assignment_id: int
    title: str
    subject: str | None
    type: str | None
    teacher: str | None
    published: str | None
    unread: bool


@dataclass(frozen=True, slots=True)
class ResultDetails:
    """What a teacher said about the result of an assignment.

    `points` are those got and the most, over all parts; None unless every part that has one of the
    two has both. `levels` are the names of what was assessed, each with its level.
    """

    review: str = field(repr=False)
    comment: str = field(repr=False)
    points: tuple[float, float] | None
    levels: tuple[tuple[str, str], ...]
