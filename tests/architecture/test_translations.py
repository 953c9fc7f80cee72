"""Every sentence for a person exists in Swedish and English: CONTRIBUTING.md, "Languages"."""

import ast
import gettext
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from bs4.element import PreformattedString
from django.contrib import admin
from django.contrib.admin.utils import label_for_field
from django.utils import translation
from django.utils.functional import Promise
from rest_framework.fields import Field
from rest_framework.serializers import Serializer

from staff.site import ReadOnlyAdmin
from tests.architecture.catalogues import (
    SWEDISH,
    TEMPLATES,
    called,
    is_marker,
    marked_sentences,
    swedish_entries,
)
from tests.architecture.sources import APPS, ROOT, Source, sources
from wrapper_project import error_table, urls

# What takes sentences for a person, and the position of the first one.
TAKES_SENTENCES = {
    "Attribute": 1,
    "Evidence": 0,
    "InvalidDocument": 1,
    "InvalidInput": 0,
    "RegexValidator": 1,
    "ReportAction": 1,
    "Row": 2,
    "StaffCount": 0,
    "ValidationError": 0,
    "by_date": 1,
    "daily": 1,
    "debug": 1,
    "error": 1,
    "info": 1,
    "success": 1,
    "warning": 1,
}
MESSAGES = {"debug", "error", "info", "success", "warning"}
STAFF_LABELS = {"description", "help_text", "label", "title", "verbose_name", "verbose_name_plural"}
BRANDS = {"GitHub", "Instagram", "LinkedIn", "Twitter"}
VISIBLE_ATTRIBUTES = ("alt", "aria-label", "placeholder", "title", "value")
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{[^}]*\}")


def _literals(node: ast.AST) -> Iterator[str]:
    """Texts of several words in an expression, without those that are marked."""
    if is_marker(node):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        if re.search(r"\w \w", node.value):
            yield node.value
        return
    for inner in ast.iter_child_nodes(node):
        yield from _literals(inner)


def _unmarked(source: Source) -> Iterator[str]:
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.Call):
            continue
        name = called(node)
        is_message = (
            name not in MESSAGES
            or getattr(getattr(node.func, "value", None), "id", "") == "messages"
        )
        if name in TAKES_SENTENCES and is_message:
            sentences = [*node.args[TAKES_SENTENCES[name] :], *(k.value for k in node.keywords)]
        elif "admin" in source.name:
            sentences = [k.value for k in node.keywords if k.arg in STAFF_LABELS]
        else:
            continue
        for sentence in sentences:
            yield from _literals(sentence)


def test_every_sentence_in_the_code_is_marked() -> None:
    found = {source.name: [*_unmarked(source)] for source in sources(*APPS)}
    missing = {name: texts for name, texts in found.items() if texts}
    assert missing == {}


@pytest.mark.parametrize(
    ("code", "sentences"),
    [
        ('InvalidInput({"a": ["Give a week."]})', ["Give a week."]),
        ("InvalidInput({'a': [f'At most {n} others.']})", ["At most "]),
        ('InvalidInput({"a": [_("Give a week.")]})', []),
        ('RegexValidator(r"a b", "One line of text.")', ["One line of text."]),
        ('Row(400, "code", "Please sign in.", 60)', ["Please sign in."]),
        ('messages.success(request, "It is done.")', ["It is done."]),
        ('logger.warning("a line of the log")', []),
    ],
)
def test_an_unmarked_sentence_is_found(code: str, sentences: list[str]) -> None:
    source = Source(ROOT / "made_up.py", "made_up.py", 0, ast.parse(code))
    assert [*_unmarked(source)] == sentences


def test_every_row_of_the_error_table_is_marked() -> None:
    rows = {row for row in vars(error_table).values() if isinstance(row, error_table.Row)}
    rows |= set(error_table.TABLE.values())
    assert [row.code for row in rows if not isinstance(row.sentence, Promise)] == []


def _bare_words(path: Path) -> list[str]:
    """Words of a template outside the tags for translation."""
    text = re.sub(r"{% comment %}.*?{% endcomment %}|{#.*?#}", "", path.read_text(), flags=re.S)
    text = re.sub(r"{% blocktrans.*?{% endblocktrans\w* %}", "", text, flags=re.S)
    page = BeautifulSoup(re.sub(r"{%.*?%}|{{.*?}}", "", text, flags=re.S), "html.parser")
    texts = page.find_all(string=True)
    words = [str(text) for text in texts if not isinstance(text, PreformattedString)]
    for tag in page.find_all(True):
        kind = tag.get("type")
        is_seen = tag.name != "button" and kind != "hidden"
        words += [str(tag[name]) for name in VISIBLE_ATTRIBUTES if is_seen and name in tag.attrs]
    return [word.strip() for word in words if re.search(r"[^\W\d_]", word)]


def test_every_word_in_a_template_is_marked() -> None:
    found = {str(path.relative_to(ROOT)): _bare_words(path) for path in TEMPLATES}
    assert len(found) > 8
    assert {name: words for name, words in found.items() if words} == {}


def test_a_bare_word_in_a_template_is_found(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text('<p>{% translate "Yes" %} no</p><img alt="A cat"><p>{{ name }}: 1</p>')
    assert _bare_words(path) == ["no", "A cat"]


def test_the_catalogue_has_every_sentence_of_the_source() -> None:
    """`make messages` adds those that are missing, and removes those that are gone."""
    assert {entry.msgid for entry in swedish_entries()} == marked_sentences()


def test_every_sentence_is_translated_into_swedish() -> None:
    missing = [e.msgid for e in swedish_entries() if e.fuzzy or not all(e.texts)]
    assert missing == []


def test_translations_have_the_placeholders_of_the_sentence() -> None:
    for entry in swedish_entries():
        wanted = sorted(PLACEHOLDER.findall(entry.msgid))
        assert [sorted(PLACEHOLDER.findall(text)) for text in entry.texts] == [wanted] * len(
            entry.texts
        ), entry.msgid


def test_the_compiled_catalogue_is_current() -> None:
    with SWEDISH.with_suffix(".mo").open("rb") as file:
        compiled: dict[Any, str] = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    expected: dict[Any, str] = {}
    for entry in swedish_entries():
        if len(entry.texts) == 1 and entry.texts[0]:
            expected[entry.msgid] = entry.texts[0]
        elif all(entry.texts):
            expected |= {(entry.msgid, form): text for form, text in enumerate(entry.texts)}
    assert {key: text for key, text in compiled.items() if key} == expected


def _serializers(above: type[Any] = Serializer) -> Iterator[type[Any]]:
    for kind in above.__subclasses__():
        if kind.__module__.partition(".")[0] in APPS:
            yield kind
        yield from _serializers(kind)


def _field_errors(field: Field[Any, Any, Any, Any]) -> Iterator[Any]:
    yield from field.error_messages.values()
    yield from (check.message for check in field.validators if hasattr(check, "message"))
    inner = getattr(field, "fields", {})
    for each in [*inner.values(), *filter(None, [getattr(field, "child", None)])]:
        yield from _field_errors(each)


def _sentences_in(language: str) -> dict[str, list[str]]:
    with translation.override(language):
        return {
            # A new object: REST framework keeps the text of the first language that it formats.
            f"{kind.__module__}.{kind.__name__}": [str(text) for text in _field_errors(kind())]
            for kind in set(_serializers())
        }


def test_every_error_of_a_field_exists_in_swedish() -> None:
    assert urls.urlpatterns  # importing them defines every serializer
    english, swedish = _sentences_in("en"), _sentences_in("sv")
    assert len(english) > 60
    same = {text for name, texts in english.items() for text in set(texts) & set(swedish[name])}
    assert same == set()


def test_every_label_of_the_staff_site_is_in_the_catalogue() -> None:
    known = {entry.msgid for entry in swedish_entries()} | BRANDS
    shown: set[str] = set()
    for model, pages in admin.site._registry.items():
        if not isinstance(pages, ReadOnlyAdmin):
            continue
        names = {*pages.list_display, *(pages.fields or ())} - {"__str__"}
        shown |= {str(label_for_field(str(name), model, pages)) for name in names}
        options = model._meta
        shown |= {str(options.verbose_name), str(options.verbose_name_plural)}
        shown.add(str(options.app_config.verbose_name))
    assert len(shown) > 40
    assert shown - known == set()
