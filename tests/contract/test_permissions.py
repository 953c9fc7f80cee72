"""Sends every row of the permission matrix as every kind of caller."""

import re
from collections import defaultdict

import orjson
import pytest
from django.db import transaction
from pytest_django.fixtures import Settings

from accounts.models import Account
from accounts.services.suspension import suspend_account
from tests.conftest import Caller, signed_in
from tests.contract.elsas_objects import ElsasObjects, fill
from tests.contract.permission_matrix import MATRIX
from tests.contract.routes import every_route
from tests.contract.rows import Row

ROWS = [(name, row) for name, rows in MATRIX.items() for row in rows]
OTHERS = {
    "friend": ("bo.ek", "bjorkdalen"),
    "stranger": ("alva.lind", "bjorkdalen"),
    "zoe": ("zoe.åkerman", "nyvang"),
}
PEOPLE = OTHERS | {"elsa": ("elsa.nordvall", "bjorkdalen")}


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


def objects_of(row: Row) -> frozenset[str]:
    """The names of Elsa's objects in the path and the body of a row."""
    return frozenset(re.findall(r"\{(\w+)\}", f"{row.path} {row.body}"))


SCENES: dict[frozenset[str], list[tuple[str, Row]]] = defaultdict(list)
for name, row in ROWS:
    SCENES[objects_of(row)].append((name, row))


def stay_signed_in(caller: Caller, username: str, school: str) -> None:
    """Sign in again if a request has ended the session."""
    if caller.get("/api/session").status_code != 200:
        caller.sign_in(username, school)


@pytest.mark.parametrize("names", SCENES, ids=lambda names: " ".join(sorted(names)) or "nothing")
def test_each_caller_gets_the_status_of_the_matrix(
    names: frozenset[str], elsa: Caller, settings: Settings
) -> None:
    """One scene for all rows with the same objects, whose makers may make people friends."""
    settings.RATE_LIMITS = False
    # A validation after 30 seconds on a busy machine would be undone together with its request.
    settings.SESSION_CHECK_SECONDS = 3_600
    objects = ElsasObjects(elsa)
    for name in sorted(names):
        objects[name]
    elsas_id = Account.objects.get(username="elsa.nordvall").pk
    callers = {who: signed_in(*person) for who, person in OTHERS.items()} | {"elsa": elsa}
    for name, row in SCENES[names]:
        found = {"nobody": ask_and_undo(Caller(), row, objects)}
        for who, caller in callers.items():
            found[who] = ask_and_undo(caller, row, objects)
            if row.method != "GET":
                stay_signed_in(caller, *PEOPLE[who])
        if row.method != "GET":
            elsa.sign_in()  # the request may have ended or changed her session
        with transaction.atomic():
            suspend_account(elsas_id)
            found["suspended"] = ask(elsa, row, objects)
            transaction.set_rollback(True)
        stay_signed_in(elsa, *PEOPLE["elsa"])
        assert found == {who: getattr(row, who) for who in found}, (name, row)
