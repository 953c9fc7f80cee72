"""Which names hold a word for an office, however it is written."""

import pytest

from accounts.office_words import letters_of, names_an_office

OFFICES = [
    "Rektor", "rektorn", "Rektorns assistent", "Skolans personal", "Björkdalens skola", "Lärare",
    "larare", "lãrare", "Mattelärare Bo", "en av lärarna", "Mentor 8B", "Skolsköterskan",
    "Kuratorn", "Administratör", "administrator", "Admin", "Moderator Bo", "Support",
    "The Principal", "Head Teacher", "teacher's", "School Staff", "Elevhälsan",
    "Studie- och yrkesvägledare",
]  # fmt: skip
WRITTEN_OTHERWISE = [
    "R e k t o r", "R.e.k.t.o.r", "R-e-k-t-o-r-n", "Rek-tor", "Rek tor Ek", "Rektor_", "_rektor_",
    "Rektor1", "1Rektor", "RektorEk", "rEkToR", "𝐑𝐞𝐤𝐭𝐨𝐫", "ⓡⓔⓚⓣⓞⓡ", "🅡🅔🅚🅣🅞🅡", "🅁🄴🄺🅃🄾🅁", "🇷🇪🇰🇹🇴🇷",
    "rektоr", "ＲＥＫＴＯＲ", "Rek\u200btor", "Rek\u00adtor", "Rek\u2011tor",
    "R\u0336e\u0336k\u0336t\u0336o\u0336r\u0336", "Rekto\u0301r", "R3kt0r", "@dmin", "Adm1n",
    "$upport", "SkoIan", "5taff", "⭐Rektor⭐", "Rektor👑",
]  # fmt: skip
OTHERS = [
    "Elsa Nordvall", "Åsa Öberg", "Tor", "Direktör", "Skolgård", "Personlig", "Adminton", "Mentos",
    "Supporter", "Badminton", "Lara", "Anna Skole", "Teach", "Bo (8B)", "🎓", "123", "-", "",
]  # fmt: skip


@pytest.mark.parametrize("name", [*OFFICES, *WRITTEN_OTHERWISE])
def test_a_word_for_an_office_is_found(name: str) -> None:
    assert names_an_office(name)


@pytest.mark.parametrize("name", OTHERS)
def test_other_words_are_not(name: str) -> None:
    assert not names_an_office(name)


@pytest.mark.parametrize(
    ("own_name", "name", "refused"),
    [
        ("Mentor Krasniqi", "Mentor Krasniqi", False),
        ("Mentor Krasniqi", "mentor", False),
        ("Mentor Krasniqi", "Mentor 🎸", False),
        ("Anna Maria Rektor", "Anna Rektor", False),
        ("Mentor Krasniqi", "Rektor Krasniqi", True),
        ("Mentor Krasniqi", "Mentorn", True),
        ("Rek Andersson", "Rek Tor", True),
        ("", "Mentor", True),
    ],
)
def test_a_word_of_ones_own_name_is_none(own_name: str, name: str, refused: bool) -> None:
    assert names_an_office(name, own_name=own_name) is refused


def test_the_letters_of_a_name_are_the_same_however_it_is_written() -> None:
    same = ["Karin Holm", "karin.holm", "KARIN-HOLM", "Karin Holm 8", "Holm Karin", "Kаrin HoIm"]
    for name in [*same, "K4rin H0lm", "Ka rin Holm 🎓"]:
        assert letters_of("Karin Holm") & letters_of(name), name
    for name in ("Karin Holmgren", "Kårin Holm", "Karin", "", "🎓"):
        assert not letters_of("Karin Holm") & letters_of(name), name
    assert not letters_of("")
