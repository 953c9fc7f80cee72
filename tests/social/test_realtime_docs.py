"""docs/realtime.md names every event and close code."""

import re
from pathlib import Path

from social.realtime.close_codes import CloseCode
from social.realtime.events import Event

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "realtime.md").read_text()


def section(title: str) -> str:
    return TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def words(title: str) -> set[str]:
    """The words in the first column of the table."""
    cells = re.findall(r"^\| ([^|]*) \|", section(title), re.MULTILINE)
    return {word.strip("`") for cell in cells for word in cell.split(", ")} - {"---"}


def names(kind: type[Event]) -> set[str]:
    own = {kind.type} if "type" in vars(kind) else set()
    return own.union(*(names(each) for each in kind.__subclasses__()))


def test_every_event_is_in_the_table_and_no_other() -> None:
    assert words("Events") - {"type"} == names(Event)


def test_every_close_code_is_in_the_table() -> None:
    assert {str(int(code)) for code in CloseCode} <= words("Close codes")
