"""What counts as one emoji. `social` (reactions) and `notes` (countdowns) use it."""

import regex

# A grapheme has no maximum length: joiners can chain any number of emoji. The longest sequence that
# Unicode recommends has ten code points.
MAX_LENGTH = 32

_PICTURE = (
    # Unicode also calls digits, #, * and half a flag emoji; none of them is one by itself.
    # The last set holds future emoji, which this library does not know yet.
    r"(?:[\p{Emoji}--[0-9\#*]--\p{Regional_Indicator}]"
    r"|[\p{Extended_Pictographic}&&\p{Cn}])"
    # Variation selector, skin tone, keycap; tags end the flags of regions such as Scotland.
    r"[\uFE0F\p{Emoji_Modifier}]{0,2}\u20E3?[\U000E0020-\U000E007F]{0,16}"
)
ONE_EMOJI = regex.compile(
    rf"\p{{Regional_Indicator}}{{2}}|[0-9\#*]\uFE0F?\u20E3|{_PICTURE}(?:\u200D{_PICTURE})*",
    flags=regex.VERSION1,
)


# A picture that Unicode shows as text unless a selector or a skin tone follows.
_TEXT_BY_DEFAULT = regex.compile(
    r"[\p{Emoji}--\p{Emoji_Presentation}--[0-9\#*]](?!\p{Emoji_Modifier})|[0-9\#*](?=\u20E3)",
    flags=regex.VERSION1,
)
_SELECTOR = "\ufe0f"

# What follows the picture of an emoji and is invisible by itself.
_ENDING = regex.compile(
    r"(?<=[\p{Emoji}--[0-9\#*]])\uFE0F?[\U000E0020-\U000E007F]{0,16}", flags=regex.VERSION1
)


def is_emoji(text: str) -> bool:
    """Whether `text` is exactly one emoji (UAX 29, UTS 51). Skin tones, families, flags and
    keycaps count as one."""
    return len(text) <= MAX_LENGTH and ONE_EMOJI.fullmatch(text) is not None


def fully_qualified(text: str) -> str:
    """The one way to write an emoji that Unicode recommends (`emoji-test.txt`): some keyboards send
    ❤ without its selector."""
    return str(_TEXT_BY_DEFAULT.sub(rf"\g<0>{_SELECTOR}", text.replace(_SELECTOR, "")))


def without_emoji(text: str) -> str:
    return str(ONE_EMOJI.sub("", text))


def emoji_ending_at(text: str, end: int) -> int:
    """Where the emoji ends whose picture ends at `end`: after its selector and tags, if any."""
    ending = _ENDING.match(text, end)
    return ending.end() if ending else end
