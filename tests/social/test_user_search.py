"""/api/users/search and /api/people/staff: who is found, in which order, and who is not."""

from collections.abc import Iterable
from urllib.parse import quote

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django.fixtures import Settings

from accounts.models import Account, Picture, Profile
from accounts.services.profiles import search_key_of
from accounts.services.suspension import suspend_account
from social.limits import SEARCH_COMPARED
from social.models import Block
from tests.conftest import Caller, signed_in
from tests.social.cast import Cast, befriend
from tests.social.factories import account, dm_of
from tests.social.friend_requests import block, code_of
from tests.store_away import take_the_store_away

PATH = "/api/users/search"
ELSA, BO = "elsa.nordvall", "bo.ek"


def people(names: Iterable[tuple[str, str]], school: str = "bjorkdalen") -> list[Account]:
    """People with these usernames and display names."""
    made = Account.objects.bulk_create(
        Account(school=school, upstream_user_id=20_000 + number, username=username)
        for number, (username, _) in enumerate(names)
    )
    Profile.objects.bulk_create(
        Profile(
            account=one,
            user_type="student",
            display_name=name,
            search_key=search_key_of(name, one.username),
        )
        for one, (_, name) in zip(made, names, strict=True)
    )
    return made


def found(caller: Caller, text: str, path: str = PATH) -> list[str]:
    """The usernames that a search finds, in order."""
    answer = caller.get(f"{path}?q={quote(text)}")
    assert answer.status_code == 200, answer.content
    return [user["username"] for user in answer.json()["users"]]


@pytest.mark.parametrize("path", [PATH, "/api/people/staff"])
def test_a_result_shows_the_public_profile(elsa: Caller, path: str) -> None:
    signed_in("torbjörn.ekvik")
    Profile.objects.filter(account__username="torbjörn.ekvik").update(bio="Matte.", pronouns="han")
    Picture.objects.create(
        name="x" * 40, account=account("torbjörn.ekvik"), kind="avatar", width=1, height=1, data=b""
    )
    (user,) = elsa.get(f"{path}?q=ekvik").json()["users"]
    assert user.pop("pfpUrl").startswith("http://testserver/media/x")
    assert user == {
        "username": "torbjörn.ekvik",
        "displayName": "Torbjörn Ekvik",
        "realName": None,
        "pronouns": "han",
        "bio": "Matte.",
        "location": "",
        "schoolName": "Björkdalsskolan",
        "userType": "teacher",
    }


def test_case_and_accents_do_not_matter(elsa: Caller) -> None:
    signed_in("ömer.sjölin")
    for text in ("Ömer", "omer", "ÖMER SJ", "sjölin", "SJOLIN", "mer.sj", " ömer ", "O\u0308mer"):
        assert found(elsa, text) == ["ömer.sjölin"]


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("Conan O’Brien", ["O'Brien", "o’brien", "O´Brien", "O`Brien", "O Brien", "brien conan"]),
        ("Sean O'Hara", ["o’hara", "O'HARA"]),
        ("Anna-Karin Åkerblom", ["anna karin", "Anna–Karin", "Akerblom Anna", "karin anna-ak"]),
        ("Karin Svensson", ["Karin Svensson", "Svensson Karin", "sven kar", " svensson  k"]),
        ("Işıl Çelik", ["isil", "celik", "Çelik Işıl"]),
    ],
)
def test_a_name_is_found_as_people_type_it(elsa: Caller, name: str, texts: list[str]) -> None:
    people([("u1", name), ("u2", "Karin Ek"), ("u3", "Sven Brink"), ("u4", "Anna Blom")])
    assert [found(elsa, text) for text in texts] == [["u1"]] * len(texts)
    assert found(elsa, f"{name} nobody") == []


def test_people_of_the_own_school_come_first(elsa: Caller) -> None:
    other = [(f"kim.z{number:03}", "Kim Ek") for number in range(SEARCH_COMPARED + 20)]
    people(other, school="nyvang")
    people([("akim.bo", "Joakim Bo"), ("bokim", "Rakim")])
    names = found(elsa, "kim")
    assert names[:2] == ["akim.bo", "bokim"]
    assert names[2:] == [name for name, _ in other[:18]]


def test_the_caller_is_not_found(elsa: Caller) -> None:
    assert found(elsa, "elsa") == []
    assert found(signed_in(BO), "elsa") == [ELSA]


def test_wildcards_are_escaped(elsa: Caller) -> None:
    odd = ["%%", "__", "e%a", "e_sa", "\\%", "%sa", "*.*", "' or '1"]
    bo = signed_in(BO)
    assert [found(bo, text) for text in odd] == [[]] * len(odd)
    people([(f"odd.{number}", f"a{text}b") for number, text in enumerate(odd)])
    assert [found(elsa, text) for text in odd] == [[f"odd.{each}"] for each in range(len(odd))]


def test_the_best_match_is_first_in_a_stable_order(elsa: Caller) -> None:
    people(
        [
            ("zz.marin", "Åke Öst"),  # the middle of the username
            ("u2", "Karl Marinsson"),  # a word
            ("u3", "Marin Aa"),  # the name
            ("marin.b", "Örjan Bo"),  # the username
            ("u5", "Submarine"),  # a part
            ("u6", "Marin Aa"),  # the name, the same
        ]
    )
    assert found(elsa, "marin") == ["u3", "u6", "u2", "marin.b", "zz.marin", "u5"]


def test_hidden_suspended_blocked_and_unknown_people_are_the_same(elsa: Caller) -> None:
    names = ["kim.hidden", "kim.suspended", "kim.blocked", "kim.blocking", "kim.seen"]
    hidden, suspended, _, blocking, _ = people([(name, "Kim") for name in names])
    Profile.objects.filter(account=hidden).update(discoverable=False)
    suspend_account(suspended.pk)
    block(elsa, "kim.blocked")
    Block.objects.create(blocker=blocking, blocked=account(ELSA))
    assert found(elsa, "kim") == ["kim.seen"]
    answers = [elsa.get(f"{PATH}?q={name}") for name in [*names[:4], "kim.nobody"]]
    assert len({answer.content for answer in answers}) == 1


@pytest.mark.parametrize("path", [PATH, "/api/people/staff"])
def test_hidden_people_are_hidden_from_everybody_who_knows_them(cast: Cast, path: str) -> None:
    elsa = cast.elsa
    befriend(elsa, cast.bo, cast.teacher)
    dm_of(ELSA, cast.guardian.username)
    assert elsa.put("/api/profile", {"discoverable": False}).status_code == 200
    for person in (cast.bo, cast.teacher, cast.guardian, cast.zoe):
        assert found(person, "elsa", path) == []


def test_other_schools_are_searched_unless_the_operator_says_no(
    elsa: Caller, zoe: Caller, settings: Settings
) -> None:
    assert found(elsa, "zoe") == ["zoe.åkerman"]
    settings.USER_SEARCH_SCOPE = "school"
    assert found(elsa, "zoe") == []
    signed_in(BO)
    assert found(elsa, "bo.ek") == [BO]


def test_too_short_and_too_long_are_400(elsa: Caller) -> None:
    for query in ("", "?q=", "?q=a", "?q=%20a%20", "?q=" + "a" * 101, "?q=%00%00"):
        refused = elsa.get(PATH + query)
        assert code_of(refused) == (400, "invalid_input")
        assert refused.json()["fields"].keys() == {"q"}


def test_two_letters_suffice_and_accents_alone_find_nobody(elsa: Caller) -> None:
    signed_in(BO)
    assert found(elsa, "Bo") == [BO]
    assert found(elsa, "\u0308\u0308") == found(elsa, "a" * 100) == []
    assert found(elsa, "b o") == found(elsa, "--") == found(elsa, "''") == []
    assert found(elsa, "bo " * 33) == [BO]


def test_at_most_twenty_in_one_query(elsa: Caller) -> None:
    people([(f"kim.{number}", "Kim") for number in range(30)])
    found(elsa, "nobody")
    with CaptureQueriesContext(connection) as queries:
        assert len(found(elsa, "kim")) == 20
    assert sum("search_key" in query["sql"] for query in queries) == 1


def test_it_is_limited_over_both_addresses_and_without_the_store(
    elsa: Caller, zoe: Caller, settings: Settings
) -> None:
    settings.LIMITS = {"search": "3/86400"}
    paths = [PATH, "/api/people/staff", PATH, "/api/people/staff"]
    assert [elsa.get(f"{path}?q=bo").status_code for path in paths] == [200, 200, 200, 429]
    take_the_store_away(settings)
    assert [zoe.get(f"{path}?q=bo").status_code for path in paths] == [200, 200, 200, 429]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no such index")
def test_a_trigram_index_serves_the_search(elsa: Caller) -> None:
    people([(f"pupil.{number}", f"Pupil {number}") for number in range(200)], school="nyvang")
    with CaptureQueriesContext(connection) as queries:
        assert len(found(elsa, "pupil 17")) == 12
    _own_school, elsewhere = [query["sql"] for query in queries if "search_key" in query["sql"]]
    with connection.cursor() as cursor:
        # Only whether it can: for so few people a sequential scan is cheaper.
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_indexscan = off")
        cursor.execute(f"EXPLAIN {elsewhere}")
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "Bitmap Index Scan on accounts_profile_search" in plan


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no such plans")
def test_each_search_is_planned_for_its_words(elsa: Caller, settings: Settings) -> None:
    settings.LIMITS = {"search": "100/60"}
    for _ in range(15):
        assert found(elsa, "nobody") == []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sum(generic_plans), sum(custom_plans) FROM pg_prepared_statements"
            " WHERE statement LIKE '%search_key%' AND statement LIKE 'SELECT%'"
        )
        generic, custom = cursor.fetchone()
    assert generic == 0
    assert custom > 0
