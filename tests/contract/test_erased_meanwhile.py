"""Requests of somebody who was erased a moment ago, of which the server has not heard yet."""

from dataclasses import replace

import pytest

from accounts import session_cache
from accounts.models import Account, ServiceSession
from accounts.services.erasure import erase_account
from tests.conftest import Caller
from tests.contract.elsas_objects import MAKERS, ElsasObjects, fill
from tests.contract.permission_matrix import MATRIX
from tests.contract.test_permissions import ask

# The first only reads; the second marks what is there.
MAKES_NOTHING = {"/api/sync", "/api/notifications/read"}
ROWS = [row for rows in MATRIX.values() for row in rows if row.nobody == 401]


@pytest.mark.django_db(transaction=True)
def test_they_make_nothing_and_are_never_500(caller: Caller) -> None:
    caller.sign_in()
    objects = ElsasObjects(caller)
    fill(
        ["{teacher}", "{conversation}", "{countdown}", "{note}", "{message}", "{session}"], objects
    )
    for name in MAKERS:
        objects.setdefault(name, "0" * 32)  # hers are gone, too
    account_id = Account.objects.get(username="elsa.nordvall").pk
    credential = ServiceSession.objects.get(account_id=account_id).pair_hash
    assert caller.get("/api/session").status_code == 200
    cached = session_cache.read(credential)
    assert cached is not None
    erase_account(account_id)
    answers = {}
    for row in ROWS:
        session_cache.begin(credential)
        looked_up = replace(cached, refusals=session_cache.current_refusals())
        session_cache.remember(looked_up, credential)
        answers[row.method, row.path, str(row.body)] = ask(caller, row, objects)
    assert {request: status for request, status in answers.items() if status >= 500} == {}
    made = {
        (method, path)
        for (method, path, _), status in answers.items()
        if status < 300 and method == "POST" and path not in MAKES_NOTHING
    }
    assert made == set()
    # Those that need one of her rows and would have failed; what she asks for in others is gone.
    for request in [("PUT", "/api/layout"), ("POST", "/api/notes"), ("POST", "/api/countdowns")]:
        assert {status for asked, status in answers.items() if asked[:2] == request} == {401}
