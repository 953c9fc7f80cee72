"""What counts as one emoji."""

import pytest
import regex

from accounts.emoji import MAX_LENGTH, fully_qualified, is_emoji

EMOJI = [
    "😀", "👍", "👍🏽", "🏽", "❤️", "❤", "☀️", "🫨", "🩷", "©️", "‼️",
    "🇸🇪", "🇦🇽", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🏳️‍🌈", "🏴‍☠️", "1️⃣", "#️⃣", "*⃣",
    "👨‍👩‍👧‍👦", "👩🏻‍❤️‍💋‍👩🏿", "👩🏽‍🚀", "🧑‍🤝‍🧑", "🕵🏿‍♀️", "❤️‍🔥", "🐻‍❄️", "\U0001faff",
]  # fmt: skip
NOT_ONE = [
    "", " ", "a", "å", "é", "1", "#", "*", "12", "😀😀", "😀 ", " 😀", "😀a", "a😀", "🇸", "🇸🇪🇸🇪",
    "🇸🇪🇸", "\ufe0f", "\u200d", "😀\u200d", "\u200d😀", "👍🏽👍", "1️", "a⃣", "ⓐ⃣", "↕︎", "❤︎",
    "😀\u0301", "\u0600😀", "😀\n", "<b>", ":-)", "\ud83d", "\x00", "😀\x00", "ظ", "字",
    "😀" + "\u0301" * 400, "\u200d".join("😀" * 400), "🏴" + "\U000e0067" * 30,
]  # fmt: skip


@pytest.mark.parametrize("text", EMOJI)
def test_it_is_one_emoji(text: str) -> None:
    assert is_emoji(text)
    assert len(regex.findall(r"\X", text)) == 1


@pytest.mark.parametrize("text", NOT_ONE, ids=ascii)
def test_it_is_no_emoji_or_more_than_one(text: str) -> None:
    assert not is_emoji(text)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("❤", "❤️"),
        ("❤️", "❤️"),
        ("👍\ufe0f", "👍"),
        ("☝\ufe0f🏽", "☝🏽"),
        ("1\u20e3", "1️⃣"),
        ("👁\u200d🗨", "👁️‍🗨️"),
        ("🏴\u200d☠", "🏴‍☠️"),
        ("🇸🇪", "🇸🇪"),
        ("🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"),
    ],
)
def test_it_is_written_in_one_way(text: str, wanted: str) -> None:
    assert fully_qualified(text) == wanted
    assert fully_qualified(wanted) == wanted


def test_every_emoji_fits_the_columns() -> None:
    assert max(map(len, EMOJI)) <= MAX_LENGTH < 64
