"""A note as plain text: for excerpts, cards and previews."""

from typing import Any


def plain_text(document: dict[str, Any]) -> str:
    """The words of a validated document, in order, with a space where a block begins."""
    words: list[str] = []
    waiting = [document]
    while waiting:
        node = waiting.pop()
        if node["type"] == "text":
            words.append(node["text"])
            continue
        words.append(" ")
        waiting.extend(reversed(node.get("content", ())))
    return "".join(words)


def shorten(text: str, length: int) -> str:
    """The beginning, at most `length` characters, white space in one form, cut after a word
    where one ends in time."""
    words = " ".join(text.split())
    if len(words) <= length:
        return words
    cut = words[: length - 1]
    whole, space, _ = cut.rpartition(" ")
    return (whole if space and len(whole) > length // 2 else cut).rstrip() + "…"
