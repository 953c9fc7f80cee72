"""The figures of a run, and their table."""

import datetime
import os
import platform
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.processes import ROOT


@dataclass(frozen=True)
class Figure:
    """One cell. `aim` is the largest value that is good enough; None: no aim."""

    row: str
    value: float
    unit: str
    aim: float | None = None
    ratio: float | None = None  # to the direct upstream call of the same run
    errors: int = 0
    note: str = ""

    @property
    def missed(self) -> bool:
        return self.errors > 0 or (self.aim is not None and self.value > self.aim)

    def shown(self) -> str:
        """`1.02 ms`, with the note and whether the aim was missed."""
        text = f"{_number(self.value)} {self.unit}"
        if self.errors:
            text += f", {self.errors} errors"
        if self.note:
            text += f" ({self.note})"
        return f"**{text}: missed**" if self.missed else text


@dataclass
class Table:
    """Figures by row and by kind of store, in the order in which they were added."""

    figures: dict[str, dict[str, Figure]] = field(default_factory=dict)

    def add(self, stores: str, figure: Figure) -> None:
        self.figures.setdefault(figure.row, {})[stores] = figure

    @property
    def missed(self) -> list[str]:
        """The rows with a missed aim."""
        return [
            row
            for row, cells in self.figures.items()
            if any(figure.missed for figure in cells.values())
        ]

    def markdown(self, stores: list[str]) -> str:
        """The table, one column a kind of store, ratios in its last column."""
        lines = [
            "| | aim | " + " | ".join(stores) + " | ratio to a direct call |",
            "|---|---|" + "---|" * (len(stores) + 1),
        ]
        for row, cells in self.figures.items():
            shown = [cells[name].shown() if name in cells else "–" for name in stores]
            lines.append(
                f"| {row} | {_aims(cells, stores)} | "
                + " | ".join(shown)
                + f" | {_ratios(cells, stores)} |"
            )
        return "\n".join(lines)


def _aims(cells: dict[str, Figure], stores: list[str]) -> str:
    aims = [
        f"≤ {_number(f.aim)} {f.unit}" for n in stores if (f := cells.get(n)) and f.aim is not None
    ]
    return " / ".join(dict.fromkeys(aims)) or "–"


def _ratios(cells: dict[str, Figure], stores: list[str]) -> str:
    ratios = [f"× {f.ratio:.1f}" for n in stores if (f := cells.get(n)) and f.ratio is not None]
    return " / ".join(ratios) or "–"


def _number(value: float) -> str:
    if value >= 100 or value == int(value):
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def machine() -> str:
    """Where and when: processor, cores, kernel, Python, the commit, the load of the machine."""
    model = platform.processor() or platform.machine()
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
            break
    today = datetime.datetime.now(tz=datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")
    return (
        f"{model}, {os.cpu_count()} cores, Linux {platform.release()}, "
        f"Python {platform.python_version()}, commit {_commit()}, {today}, "
        f"load before the run {os.getloadavg()[0]:.1f}"
    )


def _commit() -> str:
    described = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return described.stdout.strip() or "unknown"
