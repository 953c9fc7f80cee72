"""Text normalization for search: no case, no accents, single spaces."""

import unicodedata

# Letters that NFKD does not decompose into a letter and a mark.
_LETTERS = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "ł": "l"})


def normalize_for_search(text: str) -> str:
    """`text` as one line for comparison: "Åsa  Öberg" and "asa oberg" are equal."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    letters = "".join(each for each in folded if not unicodedata.combining(each))
    return " ".join(letters.translate(_LETTERS).split())
