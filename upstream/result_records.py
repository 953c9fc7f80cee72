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


@dataclass(frozen=True, slots=True)
class AssessedSubject:
    """A published row of the written assessments. `text` is the assessment in the school's words.

    `may_warn` only says that there is a warning, which may be a teacher's draft.
    """

    id: int
    subject: str
    text: str = field(repr=False)
    published: str | None
    unread: bool
    may_warn: bool


@dataclass(frozen=True, slots=True)
class ActionPlan:
    title: str
    html: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SubjectWarning:
    """A published warning that a pupil may not reach the goals of a subject."""

    text: str = field(repr=False)
    updated: str | None


@dataclass(frozen=True, slots=True)
class AssessedWork:
    """An assignment that an assessment is based on."""

    assignment_id: int | None
    title: str
    type: str | None
    review: str = field(repr=False)
    points: str | None
    comment: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class EarlierAssessment:
    """An assessment of the same subject in a term; `current` is the one of now."""

    id: int | None
    term: str | None
    current: bool
