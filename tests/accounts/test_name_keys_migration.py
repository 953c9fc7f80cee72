"""The migration that fills the keys of names changes as few names as it can."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.migration_states import empty_database, migrated_to

BEFORE = [("accounts", "0007_warnings")]
AFTER = [("accounts", "0008_name_keys")]
# (public name, first name, display name), oldest first
OLD = [
    ("zoe.a\u030akerman", "Zoe", "Zoe"),
    ("zoe.åkerman", "Zoe", "zoe\u200b.åkerman"),
    ("zое.åkerman", "Zoe", "ZOE.ÅKERMAN"),
    ("bo/ek", "Bo", "\u3164"),
    ("bo-ek", "Bo", "Bo Ek"),
    ("picture", "", "picture"),
    ("..", "", ".."),
]


@pytest.fixture
def database(transactional_db: None, tmp_path: Path) -> Iterator[None]:
    with empty_database(tmp_path):
        yield


def test_the_migration_fills_the_keys_of_existing_names(database: None) -> None:
    old = migrated_to(BEFORE)
    for number, (username, first_name, display_name) in enumerate(OLD):
        account = old.get_model("accounts", "Account").objects.create(
            school="nyvang", upstream_user_id=number, username=username
        )
        old.get_model("accounts", "Profile").objects.create(
            account=account,
            user_type="student",
            first_name=first_name,
            display_name=display_name,
        )
    new = migrated_to(AFTER)
    accounts = new.get_model("accounts", "Account").objects.order_by("pk")
    third = accounts.get(username="zое.åkerman").pk
    assert list(accounts.values_list("username", "name_key", "profile__display_name")) == [
        ("zoe.åkerman@nyvang", "zoe.åkerman@nyvang", "Zoe"),
        ("zoe.åkerman", "zoe.åkerman", "zoe\u200b.åkerman"),
        ("zое.åkerman", f"zoe.åkerman\n{third}", "zое.åkerman"),
        ("bo-ek@nyvang", "bo-ek@nyvang", "bo-ek@nyvang"),
        ("bo-ek", "bo-ek", "Bo Ek"),
        ("picture@nyvang", "picture@nyvang", "picture"),
        ("user-6", "user-6", ".."),
    ]
    profiles = new.get_model("accounts", "Profile").objects.order_by("account")
    assert profiles[1].display_key == "zoe.åkerman"
    assert profiles[3].search_key == "bo ek@nyvang\nbo ek@nyvang"
