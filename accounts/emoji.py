"""What counts as one emoji. Here, because reactions and countdowns both ask."""

import regex

# The longest of Unicode's recommended sequences (two people of two skin tones kissing) has ten
# code points. A bound, because a chain of joiners may go on for ever and still be one grapheme.
MAX_LENGTH = 32

_PICTURE = (
    # Digits, # and * are emoji to Unicode too, and half a flag is; neither is one by itself.
    # A future emoji stands in the last set before this library knows it.
    r"(?:[\p{Emoji}--[0-9\#*]--\p{Regional_Indicator}]"
    r"|[\p{Extended_Pictographic}&&\p{Cn}])"
    # As a picture, with a skin tone, in a keycap; the flags of parts of countries end in tags.
    r"[\uFE0F\p{Emoji_Modifier}]{0,2}\u20E3?[\U000E0020-\U000E007F]{0,16}"
)
_ONE = regex.compile(
    rf"\p{{Regional_Indicator}}{{2}}|[0-9\#*]\uFE0F?\u20E3|{_PICTURE}(?:\u200D{_PICTURE})*",
    flags=regex.VERSION1,
)


def is_emoji(text: str) -> bool:
    """Whether `text` is exactly one emoji, as a reader sees it: one grapheme (UAX 29), made of
    nothing but an emoji sequence (UTS 51). Skin tones, families, flags and keycaps count as one;
    text around it, a bare digit, half a flag and two emoji do not."""
    return len(text) <= MAX_LENGTH and _ONE.fullmatch(text) is not None
