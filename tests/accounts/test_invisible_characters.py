"""Characters that nobody sees: what is refused, what is blank, what is stripped."""

import pytest

from accounts.invisible_characters import (
    has_invisible,
    is_blank,
    strip_invisible,
    visible_text,
    without_invisible,
)

EMOJI = ["👩‍👩‍👧", "❤️", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "1️⃣", "👍🏽", "🇸🇪", "🏳️‍🌈"]
INVISIBLE = "\u200b \u200c \u200d \u200e \u200f \u202e \u2066 \u2060 \ufeff \u00ad \u034f"
INVISIBLE += " \u061c \u3164 \u115f \uffa0 \ufe0f \U000e0041 \x00 \x07 \x9f \ufff9"


@pytest.mark.parametrize("character", INVISIBLE.split(" "))
def test_invisible_characters_are_found_removed_and_stripped(character: str) -> None:
    assert has_invisible(f"El{character}sa")
    assert is_blank(f" {character} {character}")
    assert without_invisible(f"{character}El{character}sa") == "Elsa"
    assert visible_text(f"{character}El{character}sa \n å") == "Elsa \n å"
    assert strip_invisible(f"{character} El{character}sa\n{character}{character}") == (
        f" El{character}sa\n"
    )


@pytest.mark.parametrize("emoji", EMOJI)
def test_an_emoji_is_visible_and_stays_whole(emoji: str) -> None:
    assert not has_invisible(f"Elsa {emoji}")
    assert not is_blank(emoji)
    for text in (emoji, f"Hej {emoji}", f"{emoji} hej", f"Hej {emoji}\n"):
        assert strip_invisible(text) == text
    assert strip_invisible(f"\u200b{emoji}\u200b\u200d") == emoji
    assert visible_text(f"\u202e{emoji}\u200b Hej{emoji}") == f"{emoji} Hej{emoji}"


@pytest.mark.parametrize("text", ["👩\u200d", "\u200d👩", "a\u200db", "a\ufe0f", "5\ufe0f"])
def test_a_joiner_outside_an_emoji_is_found(text: str) -> None:
    assert has_invisible(text)
    assert visible_text(text) == without_invisible(text)


@pytest.mark.parametrize("text", ["", " ", "\t\n", "\xa0", "\u2800", "\u0301", "\U0001d159"])
def test_text_without_a_visible_character_is_blank(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize("text", ["a", ".", "å", "a\u030a", "山", "\u200bx", "🌻"])
def test_other_text_is_not_blank(text: str) -> None:
    assert not is_blank(text)
