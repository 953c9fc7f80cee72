"""Who reaches whom in a group that both are in: the second table of docs/moderation.md.

`test_contact_in_groups.py` holds each cell over HTTP. To write both tables into the document again:
`.venv/bin/python -m tests.abuse.contact_table`.
"""

from itertools import product
from typing import NamedTuple

START, END = "<!-- group table -->\n", "<!-- end of the group table -->\n"
KINDS = ("pupil", "teacher", "guardian")

# What happened while they were in the group as friends. "Two" have it for themselves.
SITUATIONS = {
    "two": "friends, in a group of two",
    "two, friendship ended": "the same, after the other has ended the friendship",
    "two, blocked": "the same, after the other has blocked",
    "more": "friends, in a larger group",
    "more, friendship ended": "the same, after the other has ended the friendship",
    "more, blocked": "the same, after the other has blocked",
    "more, blocking": "the same, after having blocked the other",
    "new role": "no friends (an adult and a pupil: friends, as the pupil asked), in a larger "
    "group; who was a pupil has become a teacher, who was an adult a pupil",
}
WORDS = {
    "yes": "messages, edits, reactions and names of the group reach the other, with notifications, "
    "and presence is seen",
    "seen": "only presence is seen: the other is of another school",
    "written": "what is written can be read, and nothing else is told",
    "no": "nothing reaches the other",
    "apart": "they are not in the group together any more",
}


class Row(NamedTuple):
    who: str
    whom: str
    school: str

    def __str__(self) -> str:
        return " ".join(self)


def _row(row: Row) -> dict[str, str]:
    """What must hold, in the words of the rules."""
    adults = [kind != "pupil" for kind in row[:2]]
    strangers = "yes" if row.school == "same" else "seen"
    if adults[0] != adults[1]:  # an adult and a pupil are together as friends only
        end = {"two": "apart", "more": "apart", "blocked": "apart"}
    else:
        end = {"two": strangers, "more": "yes", "blocked": "written"}
    return {
        "two": "yes",
        "two, friendship ended": end["two"],
        "two, blocked": "apart" if end["blocked"] == "apart" else "no",
        "more": "yes",
        "more, friendship ended": end["more"],
        "more, blocked": end["blocked"],
        "more, blocking": end["blocked"],
        # With the new role, the other one is an adult to a pupil, or no longer.
        "new role": "apart" if adults[0] == adults[1] else "yes",
    }


TABLE = {row: _row(row) for row in map(Row._make, product(KINDS, KINDS, ("same", "other")))}


def render() -> str:
    """The table as Markdown."""
    lines = [f"- **{name}**: {meaning}." for name, meaning in SITUATIONS.items()]
    lines += ["", *(f"- *{word}*: {meaning}." for word, meaning in WORDS.items()), ""]
    lines += [f"| Who | Whom | School | {' | '.join(SITUATIONS)} |"]
    lines += ["|---" * (len(SITUATIONS) + 3) + "|"]
    lines += [f"| {' | '.join([*row, *cells.values()])} |" for row, cells in TABLE.items()]
    return "\n".join(lines) + "\n"
