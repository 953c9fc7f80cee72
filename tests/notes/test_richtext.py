"""Which documents are accepted, and the errors of the others."""

import random
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.errors import InvalidInput
from notes.errors import InvalidDocument
from notes.limits import EXCERPT_LENGTH
from notes.richtext.plain_text import plain_text, shorten
from notes.richtext.render_html import render_html
from notes.richtext.schema import MARKS, NODES
from notes.richtext.validate import read_content, validate_document
from tests.notes.documents import RICH, doc, link, nested, node, paragraph, text


def why(document: Any) -> str:
    """The error of a refused document."""
    with pytest.raises(InvalidDocument) as refused:
        read_content(document)
    (sentence,) = refused.value.fields["content"]
    return str(sentence)


def kinds_in(value: Any) -> set[str]:
    """The types of all nodes and marks in a document."""
    if isinstance(value, list):
        return set().union(*map(kinds_in, value))
    if not isinstance(value, dict):
        return set()
    return {value["type"]} | kinds_in(value.get("content", [])) | kinds_in(value.get("marks", []))


def test_a_document_of_an_editor_is_accepted_unchanged() -> None:
    assert kinds_in(RICH) == {*NODES, *MARKS}
    assert validate_document(RICH) == RICH


@pytest.mark.parametrize("empty", [{"type": "doc"}, doc(), doc({"type": "paragraph"})])
def test_an_empty_document_is_a_document(empty: Any) -> None:
    content = read_content(empty)
    assert (content.document is not None, content.excerpt) == (True, "")


ATTRIBUTES: dict[str, list[Any]] = {
    "heading.level": [1, 6],
    "heading.textAlign": [None, "left", "center", "right", "justify"],
    "paragraph.textAlign": [None, "right"],
    "orderedList.start": [0, 1, 77],
    "orderedList.type": [None, "a", "I"],
    "taskItem.checked": [True, False],
    "codeBlock.language": [None, "python", "c++", "objective-c"],
    "tableCell.colspan": [1, 100],
    "tableHeader.rowspan": [1, 7],
    "tableCell.colwidth": [None, [], [100], [None, 120]],
}
WRONG_ATTRIBUTES: dict[str, list[Any]] = {
    "heading.level": [0, 7, 99, "7", "1 000", "0x2", 1.5, "1.5", True, [1], {}],
    "heading.textAlign": ["middle", 1, ["left"], {}, True],
    "orderedList.start": [-1, "-1", "1e3", True, 10**9, [1]],
    "orderedList.type": ["disc", 2, True, ["a"]],
    "taskItem.checked": [0, 1, "yes", []],
    "codeBlock.language": [True, ["python"], "x" * 33, '"><script>', "a b"],
    "tableCell.colspan": [0, -1, 101, "0", "two", 1.5],
    "tableHeader.rowspan": [0, 10**6, True],
    "tableCell.colwidth": [True, "wide", "-5", {}, ["x"], [True], [[5]], [-1], [1] * 101],
}


def with_attribute(name: str, value: Any) -> Any:
    """A document with a node that has this attribute."""
    kind, _, attribute = name.partition(".")
    attrs = {attribute: value}
    if kind in ("tableCell", "tableHeader"):
        return doc(node("table", node("tableRow", node(kind, paragraph("x"), **attrs))))
    if kind == "taskItem":
        return doc(node("taskList", node(kind, paragraph("x"), **attrs)))
    if kind == "orderedList":
        return doc(node(kind, node("listItem", paragraph("x")), **attrs))
    return doc(node(kind, text("x"), **attrs))


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_valid_attributes_are_accepted(name: str) -> None:
    for value in ATTRIBUTES[name]:
        document = with_attribute(name, value)
        assert validate_document(document) == document


@pytest.mark.parametrize("name", WRONG_ATTRIBUTES)
def test_invalid_attributes_are_refused(name: str) -> None:
    for value in WRONG_ATTRIBUTES[name]:
        sentence = why(with_attribute(name, value))
        assert sentence.startswith("doc.content[0]")
        assert f": {name.partition('.')[2]} is " in sentence


NO_NODE = "a node of that type is not allowed here."
MISPLACED = {
    "an unknown node": (doc(paragraph("x"), {"type": "iframe"}), f"doc.content[1]: {NO_NODE}"),
    "a picture": (doc(node("image", src="https://a.example/x.png")), f"doc.content[0]: {NO_NODE}"),
    "text without a block": (doc(text("x")), f"doc.content[0]: {NO_NODE}"),
    "a paragraph in a paragraph": (
        doc(node("paragraph", paragraph("x"))), f"doc.content[0].content[0]: {NO_NODE}"
    ),
    "an item without a list": (doc(node("listItem", paragraph("x"))), f"doc.content[0]: {NO_NODE}"),
    "a task in a list of points": (
        doc(node("bulletList", node("taskItem", paragraph("x")))),
        f"doc.content[0].content[0]: {NO_NODE}",
    ),
    "a cell without a row": (
        doc(node("table", node("tableCell", paragraph("x")))),
        f"doc.content[0].content[0]: {NO_NODE}",
    ),
    "a document in a document": (doc(doc()), f"doc.content[0]: {NO_NODE}"),
    "an empty list": (doc(node("bulletList")), "doc.content[0]: its content is incomplete."),
    "no document": (paragraph("x"), f"doc: {NO_NODE}"),
    "nothing": ({}, "doc: its type is missing or not a string."),
    "a node that is a word": (doc("x"), "doc.content[0]: this is not an object."),  # type: ignore[arg-type]
    "a type that is a list": (
        doc({"type": ["text"]}), "doc.content[0]: its type is missing or not a string."
    ),
    "content that is an object": (
        {"type": "doc", "content": {}}, "doc: its content is not a list."
    ),
    "content that is a word": ({"type": "doc", "content": "x"}, "doc: its content is not a list."),
    "attrs that are a list": (
        doc({"type": "heading", "attrs": [1]}), "doc.content[0]: its attrs is not an object."
    ),
}  # fmt: skip


@pytest.mark.parametrize(("document", "sentence"), MISPLACED.values(), ids=MISPLACED)
def test_a_misplaced_or_malformed_node_is_refused_with_its_path(
    document: Any, sentence: str
) -> None:
    assert why(document) == sentence


def marked(*marks: Any) -> Any:
    return doc(node("paragraph", {"type": "text", "text": "x", "marks": list(marks)}))


MARKED = {
    "an unknown mark": ([{"type": "blink"}], ".marks[0]: there is no mark of that type."),
    "the second mark": (["bold", {"type": "b"}], ".marks[1]: there is no mark of that type."),
    "a mark that is a word": (["x"], ".marks[0]: this is not an object."),
    "the same twice": (["bold", "bold"], ": two of its marks exclude each other."),
    "two links": (
        [link("https://a.example"), link("https://b.example")],
        ": two of its marks exclude each other.",
    ),
    "a link to nowhere": (
        [link("/app")], ".marks[0]: href leads to http, https or mailto only."
    ),
    "a colour that is none": (
        [{"type": "highlight", "attrs": {"color": "url(https://a.example);x"}}],
        ".marks[0]: color is null or a colour.",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("marks", "sentence"), MARKED.values(), ids=MARKED)
def test_an_invalid_mark_is_refused_with_its_path(marks: list[Any], sentence: str) -> None:
    whole = [{"type": mark} if mark == "bold" else mark for mark in marks]
    assert why(marked(*whole)) == f"doc.content[0].content[0]{sentence}"


def test_only_text_has_marks() -> None:
    bold = [{"type": "bold"}]
    assert "no marks" in why({"type": "doc", "marks": bold})
    assert "not allowed" in why(doc({"type": "paragraph", "marks": bold}))
    assert "not allowed" in why(doc(node("codeBlock", text("x", "bold"))))


@pytest.mark.parametrize("words", ["", 5, None, ["x"], {"a": 1}])
def test_a_text_is_a_string_that_is_not_empty(words: Any) -> None:
    assert "text is missing" in why(doc(node("paragraph", {"type": "text", "text": words})))


def test_a_text_has_no_content() -> None:
    hidden = {"type": "text", "text": "x", "content": [paragraph("hidden")]}
    assert "a text has no content" in why(doc(node("paragraph", hidden)))


def test_unknown_attributes_are_removed_at_every_depth() -> None:
    sent = doc(node("paragraph", text("x", {"type": "bold", "attrs": {"onclick": "x"}}), style="x"))
    assert validate_document(sent) == doc(node("paragraph", text("x", "bold")))


def test_the_plain_text_has_the_words_in_order() -> None:
    words = plain_text(RICH).split()
    assert words[:4] == ["Fotosyntesen", "Växter", "gör", "socker"]
    assert words[-1] == "Sist"


def test_an_excerpt_ends_after_a_word() -> None:
    excerpt = shorten("ord " * 100, EXCERPT_LENGTH)
    assert len(excerpt) <= EXCERPT_LENGTH
    assert excerpt.endswith("ord…")
    assert shorten("å" * 300, 220) == "å" * 219 + "…"
    assert shorten(" ett\n två\t", 220) == "ett två"
    assert shorten("å" * 220, 220) == "å" * 220


_words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
_plain = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | _words
_kinds = st.sampled_from([*NODES, *MARKS, "iframe", ""])


def _nodes(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries(
        {"type": _kinds},
        optional={
            "content": st.lists(inner, max_size=3) | _plain,
            "marks": st.lists(inner, max_size=2) | _plain,
            "attrs": st.dictionaries(
                st.sampled_from(["href", "level", "checked", "start", "colspan", "language", "x"]),
                inner,
                max_size=3,
            ),
            "text": _plain,
        },
    )


@settings(max_examples=150)
@given(st.recursive(_plain, _nodes, max_leaves=12))
def test_any_input_is_accepted_or_refused(made_up: Any) -> None:
    document = {"type": "doc", "content": [made_up, {"type": "paragraph", "content": [made_up]}]}
    for content in (document, orjson.dumps(document).decode(), made_up):
        try:
            read = read_content(content)
        except InvalidInput:
            continue
        if read.document is not None:
            valid = orjson.loads(read.document)
            assert validate_document(valid) == valid
            assert "<script" not in render_html(valid)


def test_a_document_with_one_value_replaced_is_accepted_or_refused() -> None:
    """Replace any one value of a document that an editor wrote."""
    chance = random.Random(20261121)
    odd: list[Any] = [
        None,
        True,
        -1,
        2**62,
        "",
        "x",
        [],
        {},
        [[]],
        {"type": "text"},
        "javascript:alert(1)",
    ]
    for _ in range(300):
        document = orjson.loads(orjson.dumps(RICH))
        part: Any = document
        while True:
            key = chance.choice([*part] if isinstance(part, dict) else range(len(part)))
            if not isinstance(part[key], dict | list) or not part[key] or chance.random() < 0.1:
                break
            part = part[key]
        part[key] = chance.choice(odd)
        try:
            render_html(validate_document(document))
        except InvalidDocument:
            continue


def test_depth_is_bounded_before_anything_recurses() -> None:
    assert validate_document(nested(45)) == nested(45)
    deep = nested(5_000)
    assert why(deep) == "doc: nested deeper than 96."
    sideways: Any = "x"
    for _ in range(5_000):
        sideways = [sideways]
    assert why(doc(node("paragraph", unknown=sideways))) == "doc: nested deeper than 96."
