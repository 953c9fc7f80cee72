"""Which language a text is written in, as well as a few small words tell."""

import re
from typing import Final, Literal

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
_ENOUGH: Final = 5_000


def guess_language(text: str) -> Language:
    """Swedish or English, by the first few thousand characters; Swedish where nothing tells."""
    words = [word.lower() for word in _WORD.findall(text[:_ENOUGH])]
    swedish = sum(word in _SWEDISH or bool(set("åäö") & set(word)) for word in words)
    english = sum(word in _ENGLISH for word in words)
    return "en" if english > swedish else "sv"
