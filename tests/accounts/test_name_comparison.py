"""Which names are the same, which look the same, and what a public name is made of."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.name_comparison import KEY_LENGTH, name_key, normalize_username
from accounts.services.usernames import public_form

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)
EQUAL = [
    ("zoe.åkerman", "zoe.a\u030akerman"),  # composed, and with the ring as a mark
    ("Å", "\u212b"),  # the sign for ångström
    ("elsa", "ELSA"),
    ("strasse", "Straße"),
    ("elsa", "еlsа"),  # Cyrillic
    ("bo ek", "ВО ЕК"),
    ("bo.ek", "во.ек"),
    ("ömer", "ӧmer"),
    ("nina", "ΝINA"),  # Greek
    ("alva", "αlνα"),
    ("ida", "ıda"),
    ("ida", "Іda"),
    ("ida", "i\u0307da"),
    ("elsa", "ｅｌｓａ"),
    ("elsa", "𝐞𝓁𝕤𝖺"),
    ("elsa", "ᴇʟꜱᴀ"),
    ("bo.ek", "bo․ek"),
    ("bo-ek", "bo‐ek"),
    ("alva@nyvang", "alva＠nуvang"),
    ("bo", "b\u200bo\ufeff"),
    ("bo", "b\u00ado"),
    ("bo", "b\u034fo"),
    ("bo", "\u202ebo\u2069"),
    ("bo", "b\u3164o\u115f"),
    ("bo", "bo\ufe0f\U000e0041"),
    ("bo ek", " bo \t\u00a0 ek\u2003"),
    ("bo ek", "bo\u2800ek"),
]
DIFFERENT = [
    ("Åsa", "Asa"), ("Ärla", "Arla"), ("ömer", "omer"), ("åsa", "äsa"), ("ø", "o"), ("é", "e"),
    ("elsa1", "elsal"), ("0", "o"), ("bo.ek", "boek"), ("анна", "анка"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_names_that_look_the_same_have_the_same_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_names_that_look_different_have_different_keys(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@pytest.mark.parametrize("name", ["zoe.åkerman", "ömer.sjölin", "elsa.nordvall@bjorkdalen-730214"])
def test_the_key_of_an_ordinary_user_name_is_the_name(name: str) -> None:
    assert name_key(name) == normalize_username(name) == public_form(name) == name


@pytest.mark.parametrize(
    "given", ["ZOE.ÅKERMAN", "Zoe.A\u030akerman", " zoe.åkerman", "ｚoe.åkerman"]
)
def test_a_name_is_looked_up_in_any_case_and_form(given: str) -> None:
    assert normalize_username(given) == "zoe.åkerman"


@pytest.mark.parametrize(
    "given", ["zоe.åkerman", "zoe\u200b.åkerman", "zoe.akerman", "zoe。åkerman"]
)
def test_a_look_alike_is_not_looked_up_as_the_name(given: str) -> None:
    assert normalize_username(given) != "zoe.åkerman"


@pytest.mark.parametrize(
    ("user_name", "public"),
    [
        ("Elsa.Nordvall", "elsa.nordvall"),
        ("zoe.A\u030akerman", "zoe.åkerman"),
        ("bo/ek\\8?#%,b", "bo-ek-8----b"),
        ("bo／ek", "bo-ek"),
        ("\u202ebo\u200b.ek\u00ad", "bo.ek"),
        ("bo \u2003 ek", "bo ek"),
        ("a@b.example", "a@b.example"),
        ("ﷺ" * 200, ("صلى الله عليه وسلم" * 200)[:200].strip()),
        *[(nothing, "") for nothing in ("", "..", " . ", "…", "\u3164", "\u2800", "\u0301")],
    ],
)
def test_a_public_name_has_an_address(user_name: str, public: str) -> None:
    assert public_form(user_name) == public


@given(TEXT)
def test_a_public_name_is_found_by_itself_and_fits(user_name: str) -> None:
    name = public_form(user_name)
    assert normalize_username(name) == name == public_form(name)
    assert len(name) <= 200
    assert not set("/\\?#%,") & set(name)
    assert len(name_key(f"{name}@{'s' * 63}-{2**63}-99")) < KEY_LENGTH


@given(TEXT)
def test_a_key_is_the_same_for_both_forms_of_accents(name: str) -> None:
    forms = {name_key(unicodedata.normalize(form, name)) for form in ("NFC", "NFD")}
    assert len(forms) == 1
