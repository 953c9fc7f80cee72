"""The copy of what was reported: its JSON for the sealed column, and how it differs from what is
there now. Each `ReportKind` collects its own (`report_kinds/`)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import orjson

from accounts.contribution_types import (
    EarlierText,
    Evidence,
    EvidenceLine,
    EvidencePerson,
    ReportKind,
    Words,
)
from accounts.models import KeptText
from accounts.person_hash import hash_of_person


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
        # Reports of an earlier version do not have these.
        earlier=_earlier(data.get("earlier", ())),
        seen_until=_moment(data.get("seen_until")),
    )


def hash_of(person: EvidencePerson) -> str:
    return person.person_hash or hash_of_person(person.school, person.upstream_user_id)


def as_seen(now: Evidence, kept: Sequence[KeptText], seen_until: datetime | None) -> Evidence:
    """The evidence with the values that stood there before; with those of `seen_until` in place of
    those of now, where the reporter could read it until then. `kept`: the oldest first."""
    values, earlier = dict(now.values), []
    set_back: set[str] = set()
    for row in kept:
        for name, text in row.values.items():
            if seen_until is None or row.gone_at <= seen_until:
                earlier.append(EarlierText(text, row.gone_at, row.change, name))
            elif name not in set_back:
                values[name] = text
                set_back.add(name)
    shown = [text for text in earlier if text.text]
    return replace(now, values=values, earlier=shown, seen_until=seen_until)


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
    copy; `gone`: the thing no longer exists. `earlier` are values from before the report, each with
    its label; `seen_until` is until when the reporter could read it, None: they could then."""

    reported_at: Sequence[datetime]
    comparisons: Sequence[Comparison]
    lines: Sequence[ComparedLine]
    changed_at: datetime | None
    gone: bool
    earlier: Sequence[tuple[Words, EarlierText]] = ()
    seen_until: datetime | None = None

    @property
    def changed(self) -> bool:
        texts = any(comparison.changed for comparison in self.comparisons)
        return self.gone or texts or any(line.changed for line in self.lines)


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
        earlier=[(kind.labels.get(text.name, text.name), text) for text in then.earlier],
        seen_until=then.seen_until,
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
    return EvidenceLine(**{**data, **moments, "earlier": _earlier(data.get("earlier", ()))})


def _earlier(rows: Sequence[dict[str, Any]]) -> list[EarlierText]:
    return [
        EarlierText(**{**row, "gone_at": datetime.fromisoformat(row["gone_at"])}) for row in rows
    ]


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
