"""Which names are the same, and which look the same.

Å, ä and ö are letters of their own: "Åsa" and "Asa" are two names.
"""

import re
import unicodedata

from accounts.invisible_characters import without_invisible
from accounts.look_alike_letters import LOOK_ALIKES

KEY_LENGTH = 500
_BRAILLE_BLANK = "\u2800"
# A dot above i or j is drawn where their own dot is.
_SECOND_DOT = re.compile("(?<=[ij])\u0307")


def normalize_username(name: str) -> str:
    """A user name as it is looked up: NFKC, lower case. Look-alikes stay different."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).lower()).strip()


def name_key(name: str) -> str:
    """The form in which names are compared: equal for names that look the same.

    NFKC, case folding, look-alike letters of other scripts as the Latin ones, no invisible
    characters, single spaces. Look-alikes are replaced before case folding, because a capital and
    its small letter can look like two letters: Ν and ν in Greek.
    """
    letters = unicodedata.normalize("NFKD", without_invisible(name)).translate(LOOK_ALIKES)
    folded = unicodedata.normalize("NFKC", _SECOND_DOT.sub("", letters.casefold()))
    return " ".join(folded.replace(_BRAILLE_BLANK, " ").split())[:KEY_LENGTH]


def unmatched_key(key: str, account_id: int) -> str:
    """A key that no name has, for an account whose name looked like another's before names were
    compared."""
    return f"{key[: KEY_LENGTH - 20]}\n{account_id}"
