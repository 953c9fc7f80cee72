"""Values that editors write otherwise than the schema of a note's document describes them."""

from typing import Any

import orjson
import pytest

from notes.richtext.render_html import render_html
from notes.richtext.validate import validate_document
from tests.conftest import Caller
from tests.notes.test_richtext import marked, with_attribute

# As editors write them, and as they are stored; `...` for not at all.
OTHER_SPELLINGS: dict[str, list[tuple[Any, Any]]] = {
    "heading.level": [("2", 2), (" 3 ", 3), (2.0, 2), (None, ...), ("", ...)],
    "heading.textAlign": [
        ("", ...), ("CENTER", "center"), ("-webkit-right", "right"), ("inherit", None)
    ],
    "paragraph.textAlign": [("initial", None), ("start ", "start")],
    "orderedList.start": [(None, ...), ("5", 5), (3.0, 3)],
    "orderedList.type": [("", ...), (1, "1")],
    "taskItem.checked": [(None, ...), ("", ...), ("true", True), ("FALSE", False)],
    "codeBlock.language": [(" python\n", "python"), ("å\t", "å"), (5, "5")],
    "tableCell.colspan": [(None, ...), ("2", 2), (1.0, 1)],
    "tableHeader.rowspan": [("", ...), ("3", 3)],
    "tableCell.colwidth": [
        ("", ...),
        ([120.4, 99.5], [120, 100]),
        (["100", None], [100, None]),
        ("120,80.5", [120, 80]),
        (133.7, [134]),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", OTHER_SPELLINGS)
def test_other_spellings_of_editors_are_understood(name: str) -> None:
    for written, stored in OTHER_SPELLINGS[name]:
        valid = validate_document(with_attribute(name, written))
        expected = with_attribute(name, stored)
        if stored is ...:
            expected = orjson.loads(
                orjson.dumps(with_attribute(name, "...")).replace(
                    b'"attrs":{"%b":"..."},' % name.partition(".")[2].encode(), b""
                )
            )
        assert valid == expected, written
        assert validate_document(valid) == valid
        render_html(valid)


MARK_SPELLINGS = {
    "a colour of nothing": ({"color": ""}, {}),
    "a size that is a number": ({"fontSize": 16, "lineHeight": 1.5},
                                {"fontSize": "16", "lineHeight": "1.5"}),
    "nothing": ({"color": None, "fontFamily": ""}, {"color": None, "fontFamily": ""}),
}  # fmt: skip


@pytest.mark.parametrize(("written", "stored"), MARK_SPELLINGS.values(), ids=MARK_SPELLINGS)
def test_other_spellings_of_a_style_are_understood(
    written: dict[str, Any], stored: dict[str, Any]
) -> None:
    mark = {"type": "textStyle", "attrs": stored} if stored else {"type": "textStyle"}
    valid = validate_document(marked({"type": "textStyle", "attrs": written}))
    assert valid == marked(mark)


def test_a_link_to_a_named_window_opens_as_any_other() -> None:
    href = "https://school.example"
    for target in ("popup", "frame1", "_BLANK"):
        written = {"type": "link", "attrs": {"href": href, "target": target, "rel": None}}
        stored = {"type": "link", "attrs": {"href": href, "target": None, "rel": None}}
        assert validate_document(marked(written)) == marked(stored)


def test_a_note_keeps_what_was_sent_and_stores_what_was_meant(elsa: Caller) -> None:
    sent = with_attribute("taskItem.checked", None)
    note = elsa.post("/api/notes", {"content": sent}).json()["note"]
    assert orjson.loads(note["content"]) == sent
    assert note["doc"] == {
        "type": "doc",
        "content": [
            {
                "type": "taskList",
                "content": [
                    {
                        "type": "taskItem",
                        "content": sent["content"][0]["content"][0]["content"],
                    }
                ],
            }
        ],
    }
    refused = elsa.post("/api/notes", {"content": with_attribute("heading.level", 9)})
    assert refused.json()["fields"]["content"] == [
        "doc.content[0]: level is a whole number from 1 to 6."
    ]
