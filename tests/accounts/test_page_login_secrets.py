"""What a sign-in through the school's own page leaves in logs, the database and the store."""

from typing import Any

import pytest

from accounts.models import ServiceSession
from tests.accounts.page_login import VERIFIER, app_start, visit
from tests.accounts.stored_data import store_contents, tables
from tests.conftest import Caller
from tests.school_page import callback_values
from upstream.simulator.server import Simulator

pytestmark = pytest.mark.django_db


def in_plain(secrets: set[str], logged: str, *answers: Any) -> set[str]:
    """Those of the secrets that anybody can read."""
    store = repr(store_contents())
    rows = repr(tables())
    heads = repr([dict(answer.headers) for answer in answers])
    sinks = (logged, store, rows, heads)
    return {secret for secret in secrets if any(secret in sink for sink in sinks)}


@pytest.mark.parametrize("app", [False, True])
def test_no_sink_holds_a_secret(
    simulator: Simulator,
    settings: Any,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    app: bool,
) -> None:
    settings.LOGIN_REDIRECTS = ["http://127.0.0.1/back"]
    with caplog.at_level("DEBUG"):
        begun = visit(**(app_start() if app else {}))
        secrets = {begun.values["code"], begun.values["state"], begun.browser.cookies["login"]}
        before = in_plain(secrets, "")
        answer = begun.finish()
        if app:
            ticket = callback_values(answer["Location"])["ticket"]
            assert in_plain({*secrets, ticket, VERIFIER}, "") == set()
            body = {"ticket": ticket, "codeVerifier": VERIFIER}
            assert Caller().post("/api/v2/callback", body).status_code == 200
            secrets |= {ticket, VERIFIER}
        record = ServiceSession.objects.get()
        assert record.refresh_token
        secrets |= {record.access_token, record.refresh_token}
        simulator.faults.set("login.token", "404")
        assert visit().finish()["Location"] == "/app/?login_error=refused"
    written = "".join(capfd.readouterr())
    assert before == set()
    assert in_plain(secrets, caplog.text + written, *([] if app else [answer])) == set()
