"""Names, comments, sentences and documents use ordinary words.

The project once had a private vocabulary. These words may appear only where they mean the thing
itself: `ALLOWED` lists those uses. "Room" (of a subject, of a lesson) and "letter" (of the
alphabet) belonged to it too; they are not checked, because they usually mean the thing itself.
"""

import re
from collections.abc import Iterator

import pytest

from tests.architecture.sources import ROOT
from tests.architecture.test_docs import listed_files

FORBIDDEN = re.compile(
    r"house|floors?|roofs?|laws?|doors?|faces?|shel(?:f|ves)|places?|lanes?|gates?|patience"
    r"|errands?|exhibits?|knock(?:s|ed|ing)?|calm(?:ly)?|afresh"
)
# The words of prose, of snake_case and of CamelCase.
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
# As a noun for a stage; the verb and the methods of that name are fine.
STOP = re.compile(r"\b(?:a|the|each|every|any|six|next|these|no) stops?\b|\bstops\b[.,:]")
ALLOWED = re.compile(
    r"\bin place\b|\b(?:take|takes|taking|took|taken) place\b|placeholders?"
    r"|\\N\{[A-Z ]+\}"  # the Unicode name of a character
    r"|\bplace-(?:items|content|self)\b|\bMath\.floor\b"  # of CSS, of JavaScript
)
# Migrations keep their history; saved pages and names are data; what is built is not written.
SKIPPED = re.compile(
    r"(^|/)migrations/|^webapp/dist/|^upstream/simulator/people|^tests/upstream/saved/|^LICENSE$"
    r"|^tests/architecture/test_words\.py$|\.(png|webp|svg|jpg|json|lock|mo|txt|woff2?)$"
)


def forbidden_words(text: str) -> Iterator[str]:
    """Every forbidden word of a text, in lower case, without the allowed uses."""
    for line in text.splitlines():
        yield from (found.group() for found in STOP.finditer(line))
        for word in WORD.findall(ALLOWED.sub(" ", line)):
            if FORBIDDEN.fullmatch(word.lower()):
                yield word.lower()


def test_no_file_uses_the_private_vocabulary() -> None:
    names = [name for name in listed_files() if not SKIPPED.search(name)]
    if not names:
        pytest.skip("an archive without its history")
    found = {
        name: sorted({*forbidden_words(name), *forbidden_words((ROOT / name).read_text())})
        for name in names
    }
    assert {name: words for name, words in found.items() if words} == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("the law of the house", ["law", "house"]),
        ("json_door and ReportExhibit", ["door", "exhibit"]),
        ("at most six stops", ["six stops"]),
        ("server.stop()  # stop the server", []),
        ("replaced in place", []),
        ("place-items: center; Math.floor(minutes / 60)", []),
        ("interface, gateway, replace, lawful, typeface", []),
    ],
)
def test_legitimate_uses_are_not_found(text: str, words: list[str]) -> None:
    assert list(forbidden_words(text)) == words
