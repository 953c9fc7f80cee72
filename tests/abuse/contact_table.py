"""Who reaches whom, by which way: the table of docs/moderation.md.

`test_contact_table.py` holds each cell over HTTP. To write the table into the document again:
`.venv/bin/python -m tests.abuse.contact_table`.
"""

from pathlib import Path
from typing import NamedTuple

from tests.abuse import group_table

DOCUMENT = Path(__file__).parents[2] / "docs" / "moderation.md"
START, END = "<!-- contact table -->\n", "<!-- end of the contact table -->\n"


class Row(NamedTuple):
    """One person and another whom they want to reach."""

    who: str
    whom: str
    relation: str
    school: str
    setting: str = ""
    """What the person who is reached has chosen."""

    def __str__(self) -> str:
        return " ".join(filter(None, self))


# Each way of contact, and how to read its column.
WAYS = {
    "new DM": "opens a direct conversation",
    "old DM": "writes in the direct conversation that they had as friends",
    "old DM, answered": "the same, after the other tried to write there",
    "friend request": "asks to become friends (– : they are)",
    "invite": "invites to a group",
    "common friend": "is in a group to which a common friend adds the other",
    "rename": "renames a group while the invite waits: the new name reaches the other",
    "display name": "with an old DM, asks to become friends and changes the display name: the "
    "other reads it",
    "typing": "types in the direct conversation that they had as friends",
    "presence": "sees that the other is online, without a conversation",
    "search": "finds the other",
    "report": "can report the other's profile",
}

# The cells are in the order of WAYS. "asks": the other gets an invite, and decides.
TABLE: dict[Row, str] = {
    Row("adult", "pupil", "friend", "same"): "yes yes yes – asks yes no yes yes yes yes yes",
    Row("adult", "pupil", "friend", "other"): "yes yes yes – asks yes no yes yes yes yes yes",
    Row("adult", "pupil", "stranger", "same"): "no no yes no no asks no no no no yes yes",
    Row("adult", "pupil", "stranger", "other"): "no no no no no asks no no no no yes yes",
    Row("adult", "pupil", "blocking", "same"): "no no no no no asks no no no no no yes",
    Row("adult", "pupil", "blocked", "same"): "no no no no no asks no no no no no yes",
    Row("pupil", "adult", "friend", "same"): "yes yes yes – asks yes no yes yes yes yes yes",
    Row("pupil", "adult", "friend", "other"): "yes yes yes – asks yes no yes yes yes yes yes",
    Row("pupil", "adult", "stranger", "same"): "yes yes yes yes asks no no yes yes no yes yes",
    Row("pupil", "adult", "stranger", "other"): "no no no yes no no no yes no no yes yes",
    Row("pupil", "adult", "blocking", "same"): "no no no no no asks no no no no no yes",
    Row("pupil", "adult", "blocked", "same"): "no no no no no asks no no no no no yes",
    Row("pupil", "pupil", "friend", "same"): "yes yes yes – asks yes no yes yes yes yes yes",
    Row("pupil", "pupil", "friend", "other"): "yes yes yes – asks yes no yes yes yes yes yes",
    Row("pupil", "pupil", "stranger", "same"): "yes yes yes yes asks yes no yes yes no yes yes",
    Row("pupil", "pupil", "stranger", "other"): "no no no yes no yes no yes no no yes yes",
    Row("pupil", "pupil", "blocking", "same"): "no no no no no asks no no no no no yes",
    Row("pupil", "pupil", "blocked", "same"): "no no no no no asks no no no no no yes",
    Row("adult", "adult", "friend", "same"): "yes yes yes – asks yes no yes yes yes yes yes",
    Row("adult", "adult", "friend", "other"): "yes yes yes – asks yes no yes yes yes yes yes",
    Row("adult", "adult", "stranger", "same"): "yes yes yes yes asks yes no yes yes no yes yes",
    Row("adult", "adult", "stranger", "other"): "no no no yes no yes no yes no no yes yes",
    Row("adult", "adult", "blocking", "same"): "no no no no no asks no no no no no yes",
    Row("adult", "adult", "blocked", "same"): "no no no no no asks no no no no no yes",
    # What the settings of the person who is reached change.
    Row(
        "adult", "pupil", "friend", "same", "messages from nobody"
    ): "no no no – asks asks no yes no yes yes yes",
    Row(
        "adult", "pupil", "stranger", "same", "messages from friends"
    ): "no no no no no asks no no no no yes yes",
    Row(
        "adult", "pupil", "stranger", "other", "not discoverable"
    ): "no no no no no asks no no no no no no",
    Row(
        "pupil", "pupil", "friend", "same", "messages from nobody"
    ): "no no no – asks asks no yes no yes yes yes",
    Row(
        "pupil", "pupil", "stranger", "same", "messages from nobody"
    ): "no no no yes no asks no yes no no yes yes",
    Row(
        "pupil", "pupil", "stranger", "same", "messages from friends"
    ): "no no no yes no yes no yes no no yes yes",
    Row(
        "pupil", "pupil", "stranger", "same", "not discoverable"
    ): "yes yes yes yes asks yes no yes yes no no yes",
    Row(
        "pupil", "pupil", "stranger", "other", "not discoverable"
    ): "no no no no no yes no yes no no no no",
}


def cells(row: Row) -> dict[str, str]:
    """What the table says of each way."""
    return dict(zip(WAYS, TABLE[row].split(), strict=True))


def render() -> str:
    """The table as Markdown: a part for each pair of roles."""
    lines = [f"- **{way}**: {meaning}." for way, meaning in WAYS.items()]
    for who, whom in dict.fromkeys((row.who, row.whom) for row in TABLE):
        first, second = ("an adult" if one == "adult" else "a pupil" for one in (who, whom))
        lines += ["", f"### From {first} to {second}", ""]
        lines += [f"| They are | School | The other wants | {' | '.join(WAYS)} |"]
        lines += ["|---" * (len(WAYS) + 3) + "|"]
        for row in TABLE:
            if (row.who, row.whom) == (who, whom):
                lines += [f"| {' | '.join([*row[2:], *cells(row).values()])} |"]
    return "\n".join(lines) + "\n"


def written() -> str:
    """The table that is in the document."""
    return DOCUMENT.read_text().partition(START)[2].partition(END)[0]


def write() -> None:
    """Replace this table and that of groups in the document."""
    text = DOCUMENT.read_text()
    for start, table, end in (
        (START, render(), END),
        (group_table.START, group_table.render(), group_table.END),
    ):
        before, _, rest = text.partition(start)
        text = before + start + table + end + rest.partition(end)[2]
    DOCUMENT.write_text(text)


if __name__ == "__main__":
    write()
