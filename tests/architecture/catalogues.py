"""The sentences of the source, and their translations."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation.template import templatize

from tests.architecture.sources import APPS, ROOT, Source, sources

MARKERS = {
    f"{prefix}gettext{suffix}"
    for prefix in ("", "n", "p", "np")
    for suffix in ("", "_lazy", "_noop")
} | {"_"}
TEMPLATES = sorted([*ROOT.glob("templates/**/*.html"), *ROOT.glob("templates/**/*.svg")])
_IN_TEMPLATE = re.compile(r"""\b(?:n?gettext|_)\(u?('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")
_QUOTED = re.compile(r'^"(.*)"$', re.MULTILINE)
_PART = re.compile(r'^(msg\w+(?:\[\d\])?) ((?:".*"\n?)+)', re.MULTILINE)


@dataclass(frozen=True)
class Entry:
    """One sentence of a catalogue. `texts` has a text for each plural form, mostly one."""

    msgid: str
    texts: tuple[str, ...]
    fuzzy: bool


# Without its suffix. The sentences of the source are English: there is no other catalogue.
SWEDISH = ROOT / "locale/sv/LC_MESSAGES/django"


def swedish_entries() -> list[Entry]:
    """Those of the catalogue's source (`.po`), without its header."""
    text = SWEDISH.with_suffix(".po").read_text()
    return [_entry(block) for block in text.split("\n\n")[1:]]


def _entry(block: str) -> Entry:
    parts = {name: _joined(quoted) for name, quoted in _PART.findall(block + "\n")}
    texts = tuple(text for name, text in parts.items() if name.startswith("msgstr"))
    return Entry(parts["msgid"], texts, fuzzy=bool(re.search(r"^#,.*fuzzy", block, re.MULTILINE)))


def _joined(quoted: str) -> str:
    return "".join(ast.literal_eval(f'"{line}"') for line in _QUOTED.findall(quoted))


def is_marker(node: ast.AST) -> bool:
    """Whether it is a call such as `_("...")`."""
    return isinstance(node, ast.Call) and called(node) in MARKERS


def called(call: ast.Call) -> str:
    """The last part of the name of what is called."""
    return getattr(call.func, "id", getattr(call.func, "attr", ""))


def marked_sentences() -> set[str]:
    """Every sentence that the source marks for translation."""
    found = {text for source in sources(*APPS) for text in _marked_in(source)}
    for path in TEMPLATES:
        code = templatize(path.read_text(), origin=path.name)
        found |= {ast.literal_eval(text) for text in _IN_TEMPLATE.findall(code)}
    return found


def _marked_in(source: Source) -> Iterator[str]:
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call) and called(node) in MARKERS and node.args:
            text = node.args[1 if called(node).startswith(("p", "np")) else 0]
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                yield text.value
