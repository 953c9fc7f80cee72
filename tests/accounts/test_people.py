"""People as others see them, in one query for any number."""

from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django.fixtures import Settings

from accounts.models import Account, Picture, Profile
from accounts.services.people import NOBODY, people_named, people_of, person_named, picture_url
from tests.accounts.images import new_picture
from tests.conftest import Caller


def somebody(username: str, user_type: str = "student", *pictures: str) -> int:
    """An account with a profile and pictures of these kinds, inserted directly."""
    account = Account.objects.create(
        school="bjorkdalen", upstream_user_id=uuid4().int % 10**9, username=username
    )
    Profile.objects.create(
        account=account, display_name=username.title(), school_name="B", user_type=user_type
    )
    for kind in pictures:
        Picture.objects.create(
            name=f"{kind}-of-{username}", account=account, kind=kind, data=b"", width=1, height=1
        )
    return account.pk


def test_a_person_is_what_the_profile_shows(elsa: Caller) -> None:
    path = new_picture(elsa)
    new_picture(elsa, kind="cover")
    account = Account.objects.get()
    person = people_of([account.pk])[account.pk]
    assert person._replace(picture_url="") == (
        account.pk,
        "elsa.nordvall",
        "Elsa Nordvall",
        "Elsa Nordvall",
        "",
        "bjorkdalen",
        730214,
        "Björkdalsskolan",
        "student",
        "everyone",
        True,
        False,
    )
    assert person.picture_url.endswith(path)
    assert not person.is_adult
    assert person_named("elsa.nordvall") == person


@pytest.mark.django_db
def test_any_number_of_people_is_one_query() -> None:
    ids = [somebody(f"pupil-{n}", "student", "avatar", "cover") for n in range(60)]
    with CaptureQueriesContext(connection) as queries:
        people = people_of([*ids, *ids, 999_999])
        named = people_named([f"pupil-{n}" for n in range(60)] + ["nobody"])
    assert len(queries) == 2
    assert not any('"data"' in query["sql"] for query in queries)  # of the pictures
    assert set(people) == set(ids)
    assert {person.account_id for person in named.values()} == set(ids)
    assert people[ids[7]].picture_url.endswith("/media/avatar-of-pupil-7.webp")


@pytest.mark.django_db
def test_a_cover_is_not_shown_as_the_avatar() -> None:
    account_id = somebody("bo", "student", "cover")
    assert people_of([account_id])[account_id].picture_url == ""


@pytest.mark.django_db
def test_teachers_and_guardians_are_adults() -> None:
    for user_type, adult in (("student", False), ("teacher", True), ("guardian", True)):
        account_id = somebody(f"a.{user_type}", user_type)
        assert people_of([account_id])[account_id].is_adult is adult
    assert not NOBODY.is_adult


@pytest.mark.django_db
def test_names_are_found_in_any_case() -> None:
    somebody("zoe.åkerman")
    assert list(people_named(["ZOE.ÅKERMAN", "zoe.åkerman"])) == ["zoe.åkerman"]
    found = person_named("Zoe.Åkerman")
    assert found is not None
    assert found.username == "zoe.åkerman"
    assert person_named("nobody") is None
    assert person_named("nul\0") is None
    assert people_named([]) == {}


def test_the_url_of_a_picture_begins_with_the_public_url(settings: Settings) -> None:
    settings.PUBLIC_URL = "https://school.example"
    assert picture_url("x") == "https://school.example/media/x.webp"
    assert picture_url(None) == ""
    assert picture_url("") == ""
