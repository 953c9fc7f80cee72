"""Text as search compares it: without case, accents and doubled white space."""

import unicodedata
from typing import Final

# Letters that Unicode does not take apart into a letter and a mark.
_LETTERS: Final = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "ł": "l"})


def normalize_for_search(text: str) -> str:
    """`text` for comparison: "Åsa  Öberg" and "asa oberg" are the same; one line, trimmed.

    What is left has no line end, so one can stand between two folded texts.
    """
    apart = unicodedata.normalize("NFKD", text).casefold()
    bare = (letter for letter in unicodedata.normalize("NFKD", apart) if _is_no_mark(letter))
    return " ".join("".join(bare).translate(_LETTERS).split())


def _is_no_mark(letter: str) -> bool:
    return not unicodedata.combining(letter)
