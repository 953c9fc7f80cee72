"""The copy of what was reported: its JSON for the sealed column, and how it differs from what is
there now. Each `ReportKind` collects its own (`report_kinds/`)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson

from accounts.contribution_types import Evidence, EvidenceLine, EvidencePerson, ReportKind, Words
from accounts.services.erased_people import hash_of_person


def to_text(evidence: Evidence) -> str:
    """The JSON for the encrypted column."""
    return orjson.dumps(evidence).decode()


def from_text(text: str) -> Evidence | None:
    """The evidence in that column; None when it is deleted, or the report is older than it."""
    if not text:
        return None
    data = orjson.loads(text)
    return Evidence(
        values=data["values"],
        lines=[_line(line) for line in data["lines"]],
        people=[EvidencePerson(**person) for person in data["people"]],
        pictures=data["pictures"],
        changed_at=_moment(data["changed_at"]),
    )


def hash_of(person: EvidencePerson) -> str:
    return hash_of_person(person.school, person.upstream_user_id)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One text or picture when it was reported, and now."""

    label: Words
    then: str
    now: str
    is_picture: bool = False

    @property
    def changed(self) -> bool:
        return self.then != self.now


@dataclass(frozen=True, slots=True)
class ComparedLine:
    """One message, or the text of a note, when it was reported and now (None: gone)."""

    then: EvidenceLine
    now: EvidenceLine | None

    @property
    def changed(self) -> bool:
        return self.now is None or (self.then.text, self.then.state) != (
            self.now.text,
            self.now.state,
        )

    @property
    def edited_since(self) -> datetime | None:
        edited = self.now.edited_at if self.now else None
        return edited if edited != self.then.edited_at else None

    @property
    def gone_since(self) -> datetime | None:
        gone = self.now.gone_at if self.now else None
        return gone if gone != self.then.gone_at else None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What was reported, beside what stands there now. `reported_at` are the reports that have this
    copy; `gone`: the thing no longer exists."""

    reported_at: Sequence[datetime]
    comparisons: Sequence[Comparison]
    lines: Sequence[ComparedLine]
    changed_at: datetime | None
    gone: bool

    @property
    def changed(self) -> bool:
        texts = any(each.changed for each in self.comparisons)
        return self.gone or texts or any(each.changed for each in self.lines)


def compare(
    kind: ReportKind, then: Evidence, now: Evidence | None, *, reported_at: Sequence[datetime]
) -> Snapshot:
    current = now or Evidence()
    lines = {line.key: line for line in current.lines}
    since = current.changed_at
    return Snapshot(
        reported_at=reported_at,
        comparisons=list(_comparisons(kind, then, current)),
        lines=[ComparedLine(line, lines.get(line.key)) for line in then.lines],
        changed_at=since if since != then.changed_at else None,
        gone=now is None,
    )


def _comparisons(kind: ReportKind, then: Evidence, now: Evidence) -> Iterator[Comparison]:
    for name, label in kind.labels.items():
        before, after = then.values.get(name, ""), now.values.get(name, "")
        words = kind.codes.get(name, {})
        if before or after:
            yield Comparison(label, str(words.get(before, before)), str(words.get(after, after)))
        before, after = then.pictures.get(name, ""), now.pictures.get(name, "")
        if before or after:
            yield Comparison(label, before, after, is_picture=True)


def _line(data: dict[str, Any]) -> EvidenceLine:
    moments = {name: _moment(data[name]) for name in ("at", "edited_at", "gone_at")}
    return EvidenceLine(**{**data, **moments})


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
