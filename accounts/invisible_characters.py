"""Characters that nobody sees: they hide text, reorder it, or make two equal names different."""

import regex

from accounts.emoji import ONE_EMOJI, emoji_ending_at, without_emoji

# Unicode's default ignorable code points: zero-width characters, marks that change the direction of
# text, variation selectors, tags, soft hyphen, Hangul fillers. Then annotation marks, and control
# characters other than white space.
_INVISIBLE = regex.compile(
    r"[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB[\p{Cc}--\s]]", flags=regex.VERSION1
)
_EMOJI_OR_INVISIBLE = regex.compile(
    rf"({ONE_EMOJI.pattern})|{_INVISIBLE.pattern}", flags=regex.VERSION1
)
# Also the blanks that are not white space: Braille, a musical note without a head, hieroglyphs.
_BLANK = (
    r"\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{M}\u2800\U0001D159\U00013441\U00013442"
)
_VISIBLE = regex.compile(rf"[^{_BLANK}]")


def is_blank(text: str) -> bool:
    """Whether nothing of `text` can be seen. A combining mark needs a letter."""
    return _VISIBLE.search(text) is None


def has_invisible(text: str) -> bool:
    """Whether there are invisible characters, other than the joiners and selectors of emoji."""
    return _INVISIBLE.search(text) is not None and (
        _INVISIBLE.search(without_emoji(text)) is not None
    )


def without_invisible(text: str) -> str:
    """`text` without invisible characters; this takes emoji apart."""
    return str(_INVISIBLE.sub("", text))


def visible_text(text: str) -> str:
    """`text` without invisible characters, other than the joiners and selectors of emoji."""
    if _INVISIBLE.search(text) is None:
        return text
    return str(_EMOJI_OR_INVISIBLE.sub(lambda match: match[1] or "", text))


def strip_invisible(text: str) -> str:
    """`text` without invisible characters at both ends. White space and emoji stay."""
    start, end = 0, len(text)
    while start < end and _is_edge(text[start]):
        start += 1
    while end > start and _is_edge(text[end - 1]):
        end -= 1
    if start == 0 and end == len(text):
        return text
    end = emoji_ending_at(text, end)
    return without_invisible(text[:start]) + text[start:end] + without_invisible(text[end:])


def _is_edge(character: str) -> bool:
    return character.isspace() or _INVISIBLE.match(character) is not None
