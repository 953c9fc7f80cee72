"""Sends every row of the permission matrix as every kind of caller."""

import orjson
import pytest
from django.db import transaction
from pytest_django.fixtures import Settings

from accounts.models import Account
from accounts.services.suspension import suspend_account
from tests.conftest import Caller, signed_in
from tests.contract.elsas_objects import ElsasObjects, fill
from tests.contract.permission_matrix import MATRIX, Row
from tests.contract.routes import every_route

ROWS = [(name, row) for name, rows in MATRIX.items() for row in rows]
OTHERS = {
    "friend": ("bo.ek", "bjorkdalen"),
    "stranger": ("alva.lind", "bjorkdalen"),
    "zoe": ("zoe.åkerman", "nyvang"),
}


def test_every_url_name_is_in_the_matrix() -> None:
    assert {route.name for route in every_route()} == set(MATRIX)


def test_every_method_of_every_route_is_in_the_matrix() -> None:
    asked = {(name, row.method) for name, row in ROWS}
    taken = {
        (route.name, method)
        for route in every_route()
        for method in route.methods - {"HEAD", "OPTIONS"}
    }
    assert taken == asked


def ask(caller: Caller, row: Row, objects: ElsasObjects) -> int:
    answer = caller.http.generic(
        row.method,
        row.path.format_map(objects),
        b"" if row.body is None else orjson.dumps(fill(row.body, objects)),
        content_type="application/json",
    )
    b"".join(
        getattr(answer, "streaming_content", ())
    )  # a download keeps a file open until it is read
    return int(answer.status_code)


def ask_and_undo(caller: Caller, row: Row, objects: ElsasObjects) -> int:
    """The status, without what the request changed in the database."""
    with transaction.atomic():
        status = ask(caller, row, objects)
        transaction.set_rollback(True)
    return status


@pytest.mark.parametrize(
    "row", [row for _, row in ROWS], ids=[f"{name}-{row.method.lower()}" for name, row in ROWS]
)
def test_each_caller_gets_the_status_of_the_matrix(
    row: Row, caller: Caller, settings: Settings
) -> None:
    settings.RATE_LIMITS = False
    elsa = caller
    elsa.sign_in()
    objects = ElsasObjects(elsa)
    fill([row.path, row.body], objects)
    found = {"nobody": ask_and_undo(Caller(), row, objects)}
    for who, (username, school) in OTHERS.items():
        other = signed_in(username, school)
        found[who] = ask_and_undo(other, row, objects)
    found["elsa"] = ask_and_undo(elsa, row, objects)
    elsa.sign_in()  # the request may have ended her session
    suspend_account(Account.objects.get(username="elsa.nordvall").pk)
    found["suspended"] = ask_and_undo(elsa, row, objects)
    assert found == {who: getattr(row, who) for who in found}
