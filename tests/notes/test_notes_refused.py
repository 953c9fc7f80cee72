"""/api/notes: requests that are refused."""

from typing import Any

import orjson
import pytest

from notes.models import Note
from tests.conftest import Caller
from tests.notes.documents import doc, nested, node, paragraph
from tests.notes.notes import PATH, added, refusal

MEGABYTE = 1024 * 1024


WRONG: dict[str, list[Any]] = {
    "title": ["x" * 201, 5, None, ["x"], {"a": 1}, True],
    "content": [5, 1.5, None, True, [], ["x"], {}],
    "status": ["", "shared", None, 1, ["draft"], {"a": 1}],
}


@pytest.mark.parametrize("field", WRONG)
def test_a_field_of_the_wrong_type_is_400(elsa: Caller, field: str) -> None:
    note = added(elsa, title="Biologi")
    for value in WRONG[field]:
        refusal(elsa.post(PATH, {field: value}), field)
        for path in (f"{PATH}/{note['id']}", f"{PATH}?id={note['id']}"):
            refusal(elsa.patch(path, {field: value}), field)
    assert Note.objects.get().version == 1


def test_a_version_is_a_whole_number(elsa: Caller) -> None:
    path = f"{PATH}/{added(elsa)['id']}"
    wrong: tuple[Any, ...] = ("1", 1.0, True, 0, -1, None, [1], {})
    for version in wrong:
        refusal(elsa.patch(path, {"title": "x", "version": version}), "version")


def test_the_alias_needs_an_id(elsa: Caller) -> None:
    refusal(elsa.patch(PATH, {"title": "x"}), "id")
    refusal(elsa.delete(PATH), "id")
    refusal(elsa.patch(f"{PATH}?id=", {"title": "x"}), "id")


def test_a_malformed_id_is_404(elsa: Caller) -> None:
    for note_id in ("x", "0" * 31, "G" * 32, "å" * 32, "-1"):
        assert elsa.patch(f"{PATH}?id={note_id}", {"title": "x"}).status_code == 404
        assert elsa.delete(f"{PATH}?id={note_id}").status_code == 404
        assert elsa.get(f"{PATH}/{note_id}").status_code == 404
        assert elsa.post(f"{PATH}/{note_id}/share").status_code == 404


def test_an_invalid_body_is_400_before_404(elsa: Caller) -> None:
    refusal(elsa.patch(f"{PATH}/{'0' * 32}", {"title": 5}), "title")


def test_the_error_has_the_path_in_the_document(elsa: Caller) -> None:
    wrong = doc(paragraph("x"), node("heading", level=99))
    for content in (wrong, orjson.dumps(wrong).decode()):
        sentence = refusal(elsa.post(PATH, {"content": content}))
        assert sentence == "doc.content[1]: level is a whole number from 1 to 6."


def test_a_body_may_have_a_megabyte(elsa: Caller) -> None:
    text = b"x" * (MEGABYTE - len(b'{"content":""}'))
    body = b'{"content":"%s"}' % text
    answer = elsa.http.post(PATH, body, content_type="application/json")
    assert answer.json()["note"]["content"].encode() == text
    answer = elsa.http.post(PATH, body + b" ", content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_invalid_characters_in_a_document_string_are_400(elsa: Caller) -> None:
    for escaped in ("\\u0000", "\\ud800", "\\udc00x"):
        text = (
            '{"type":"doc","content":[{"type":"paragraph","content":'
            f'[{{"type":"text","text":"{escaped}"}}]}}]}}'
        )
        assert "NUL or half a surrogate" in refusal(elsa.post(PATH, {"content": text}))


def test_a_document_may_be_nested_96_deep(elsa: Caller) -> None:
    # Each quote is an object in a list; the paragraph inside has a list and a text.
    deepest = nested(45)
    for content in (deepest, orjson.dumps(deepest).decode()):
        assert added(elsa, content=content)["doc"] == deepest


def test_a_document_nested_deeper_is_400(elsa: Caller) -> None:
    for levels in (46, 47, 120):
        too_deep = nested(levels)
        answer = elsa.post(PATH, {"content": too_deep})
        assert (answer.status_code, answer.json()["code"]) == (400, "nested_too_deep")
        sentence = refusal(elsa.post(PATH, {"content": orjson.dumps(too_deep).decode()}))
        assert sentence.startswith("doc: nested deeper than 96")


def test_extreme_nesting_is_400_or_413(elsa: Caller) -> None:
    for levels, status in ((500, 400), (2_000, 400), (50_000, 413)):
        quotes = '{"type":"blockquote","content":[' * levels
        text = f'{{"type":"doc","content":[{quotes}{"]}" * levels}]}}'
        body = b'{"content":' + text.encode() + b"}"
        answer = elsa.http.post(PATH, body, content_type="application/json")
        assert (answer.status_code, levels) == (status, levels)
        assert elsa.post(PATH, {"content": text}).status_code == status


def test_a_document_has_at_most_twenty_thousand_nodes(elsa: Caller) -> None:
    many = doc(*[{"type": "paragraph"}] * 20_001)
    assert "20000 nodes" in refusal(elsa.post(PATH, {"content": many}))
    assert "20000 nodes" in refusal(
        elsa.post(PATH, {"content": orjson.dumps(doc(*[{}] * 50_000)).decode()})
    )
    assert added(elsa, content=doc(*[{"type": "paragraph"}] * 20_000))["excerpt"] == ""
