"""Words for offices at a school and in this service, which pupils and guardians do not call
themselves.

A word is found as a whole word, however a reader might be shown it: with spaces or signs between
its letters, with digits that look like letters, or in letters of another script or without accents.
"""

import re
import unicodedata
from typing import Final

import regex

from accounts.name_comparison import name_key, normalize_for_search

# Each with its forms; the genitive (with s) is added.
_WORDS: Final = """
rektor rektorn rektorer rektorerna rector prorektor prorektorn vicerektor vicerektorn
studierektor studierektorn skolchef skolchefen skolledare skolledaren skolledarna
skolledning skolledningen
lärare läraren lärarna lärarinna lärarinnan förskollärare förskolläraren lärarvikarie
lärarkandidat lärarassistent vikarie vikarien vikarierna magister magistern lektor lektorn
adjunkt adjunkten pedagog pedagogen pedagoger pedagogerna specialpedagog specialpedagogen
fritidspedagog fritidspedagogen fritidsledare fritidsledaren
mentor mentorn mentorer mentorerna klassföreståndare klassföreståndaren handledare handledaren
personal personalen skolpersonal skolpersonalen
skola skolan
skolsköterska skolsköterskan sköterska sköterskan skolsyster elevhälsa elevhälsan
elevhälsoteam elevhälsoteamet trygghetsteam trygghetsteamet
skolläkare skolläkaren skolpsykolog skolpsykologen psykolog psykologen
kurator kuratorn kuratorer kuratorerna skolkurator skolkuratorn
studievägledare studievägledaren yrkesvägledare yrkesvägledaren syv
elevassistent elevassistenten elevcoach elevcoachen resurspedagog skolvärd skolvärden
vaktmästare vaktmästaren bibliotekarie bibliotekarien skolbibliotekarie skolbibliotekarien
expeditionen skolexpedition skolexpeditionen
admin admins adminen administratör administratören administratörer administratörerna
systemadministratör skoladministratör skoladministratören sysadmin
moderator moderatorn moderatorer moderatorerna
support supporten kundtjänst helpdesk operatör operatören webmaster
principal principals headmaster headmistress headteacher headteachers
teacher teachers schoolteacher tutor tutors
staff personnel school schools
nurse counselor counselors counsellor counsellors psychologist librarian janitor caretaker
administrator administrators moderators operator operators
"""
# What a teacher teaches, or whom.
_TEACHERS_OF: Final = """
bild biologi engelsk engelska fransk franska fysik historie hemkunskaps idrott idrotts kemi klass
matematik matte modersmåls musik no religion religions samhälls slöjd so spansk spanska special
språk svensk svenska teknik textil trä tysk tyska ämnes
"""

# I, l and 1 are one letter here, as they look the same.
_SAME_LETTERS: Final = str.maketrans("i", "l")
# Digits and signs that are read as letters.
_READ_AS_LETTERS: Final = _SAME_LETTERS | str.maketrans("0134578@$!|", "oleastbasll")
# Letters in discs and squares, which have no normal form, and those that are drawn as flags.
_ENCLOSED: Final = {
    first + number: chr(ord("a") + number)
    for first in (0x1F150, 0x1F170, 0x1F1E6)
    for number in range(26)
}
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_NEW_WORD: Final = regex.compile(r"(?<=\p{Ll})(?=\p{Lu})")


def _words_of(name: str) -> tuple[list[str], list[str]]:
    """The words of a name in the form in which they are compared here: without its digits and
    signs, and with those that look like letters as letters."""
    plain = unicodedata.normalize("NFKC", name.translate(_ENCLOSED))
    key = name_key(_NEW_WORD.sub(" ", plain))
    return (
        _LETTERS.findall(key.translate(_SAME_LETTERS)),
        _LETTERS.findall(key.translate(_READ_AS_LETTERS)),
    )


def _office_words() -> frozenset[str]:
    forms = ("lärare", "läraren", "lärarna")
    teachers = [subject + form for subject in _TEACHERS_OF.split() for form in forms]
    words = [word + ending for word in [*_WORDS.split(), *teachers] for ending in ("", "s")]
    return frozenset(normalize_for_search(word).translate(_SAME_LETTERS) for word in words)


OFFICE_WORDS: Final = _office_words()
_LONGEST: Final = max(map(len, OFFICE_WORDS))


def names_an_office(name: str, *, own_name: str = "") -> bool:
    """Whether a name has a word for an office that is no word of the person's own name."""
    own = {normalize_for_search(word) for words in _words_of(own_name) for word in words}
    for words in _words_of(name):
        plain = [normalize_for_search(word) for word in words]
        for start in range(len(plain)):
            for end in range(start + 1, len(plain) + 1):
                joined = "".join(plain[start:end])
                if len(joined) > _LONGEST:
                    break
                if joined in OFFICE_WORDS and not own.issuperset(plain[start:end]):
                    return True
    return False


def letters_of(name: str) -> set[str]:
    """What is left of a name without spaces, digits, signs and emoji, in both orders of first and
    last name. Two names that share one of these would be taken for each other. Empty, if nothing
    is left."""
    orders = [order for words in _words_of(name) for order in (words, [*words[-1:], *words[:-1]])]
    return {"".join(words) for words in orders if words}


def is_made_of(name: str, own_name: str) -> bool:
    """Whether all words of a name are words of the person's own name."""
    own = {word for words in _words_of(own_name) for word in words}
    return all(own.issuperset(words) for words in _words_of(name))
