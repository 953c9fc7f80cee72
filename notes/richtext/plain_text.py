"""The plain text of a note, for excerpts, cards and previews."""

import re
from typing import Any, Final, Literal

Language = Literal["sv", "en"]

_WORD: Final = re.compile(r"[^\W\d_]+")
_SWEDISH: Final = frozenset({
    "att", "av", "den", "det", "du", "en", "ett", "från", "för", "har", "inte", "jag", "kan",
    "med", "och", "om", "på", "som", "så", "till", "vi", "är",
})  # fmt: skip
_ENGLISH: Final = frozenset({
    "and", "are", "be", "for", "from", "have", "in", "is", "it", "not", "of", "on", "or", "that",
    "the", "this", "to", "was", "we", "with", "you",
})  # fmt: skip


def plain_text(document: dict[str, Any], *, separator: str = " ") -> str:
    """The text of a validated document, with a separator before each block."""
    parts: list[str] = []
    stack = [document]
    while stack:
        node = stack.pop()
        if node["type"] == "text":
            parts.append(node["text"])
            continue
        parts.append(separator)
        stack.extend(reversed(node.get("content", ())))
    return "".join(parts)


def shorten(text: str, length: int) -> str:
    """The beginning of the text in one line, at most `length` characters. It ends after a whole
    word, unless the last word fills half of it."""
    line = " ".join(text.split())
    if len(line) <= length:
        return line
    cut = line[: length - 1]
    whole_words, space, _ = cut.rpartition(" ")
    return (whole_words if space and len(whole_words) > length // 2 else cut).rstrip() + "…"


def guess_language(text: str) -> Language:
    """Swedish or English, judged by the frequent words of the beginning; Swedish if unclear."""
    words = [word.lower() for word in _WORD.findall(text[:5_000])]
    swedish = sum(word in _SWEDISH or bool(set("åäö") & set(word)) for word in words)
    english = sum(word in _ENGLISH for word in words)
    return "en" if english > swedish else "sv"
