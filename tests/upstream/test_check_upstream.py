"""The smoke test that an operator runs from a terminal."""

import json
import re
from collections.abc import Callable

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from tests.upstream.conftest import SCHOOL
from tests.upstream.raw_server import RawServer, always, http
from upstream.simulator.server import Simulator

TypeCredentials = Callable[..., str]
STEPS = ["school list", "authorize", "exchange", "translate", "session", "lessons", "logout"]


@pytest.fixture
def terminal(simulator: Simulator, monkeypatch: pytest.MonkeyPatch) -> TypeCredentials:
    """Answers the prompts of the command."""

    def type_credentials(username: str = "elsa.nordvall", password: str | None = None) -> str:
        elsa = simulator.state.schools[SCHOOL].people["elsa.nordvall"]
        secret = elsa.password if password is None else password
        monkeypatch.setattr("getpass.getpass", lambda _prompt: secret)
        monkeypatch.setattr("builtins.input", lambda: username)
        return secret

    return type_credentials


def run(*arguments: str) -> None:
    call_command("check_upstream", *arguments)


def test_every_step_is_reported_without_secrets(
    terminal: TypeCredentials, simulator: Simulator, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = terminal()
    run("--school", SCHOOL, "--week", "11")
    printed = capsys.readouterr()
    for step in STEPS:
        assert f"{step:<12} ok" in printed.out
    assert "All steps went well." in printed.out
    assert not re.search(r"[A-Za-z0-9_.-]{20,}", printed.out), "a code or a token"
    for hidden in (secret, "elsa.nordvall"):
        assert hidden not in printed.out + printed.err
    assert [call.operation for call in simulator.requests][-1] == "login.page"


def test_a_wrong_password_exits_with_one(
    terminal: TypeCredentials, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal(password="wrong-canary")
    with pytest.raises(SystemExit) as caught:
        run("--school", SCHOOL)
    assert caught.value.code == 1
    printed = capsys.readouterr().out
    assert "authorize    FAILED" in printed
    assert "CredentialsRefused" in printed
    assert "exchange" not in printed
    assert "canary" not in printed


def test_an_organisation_that_the_list_does_not_name_is_reported(
    terminal: TypeCredentials, simulator: Simulator, capsys: pytest.CaptureFixture[str]
) -> None:
    """Or everything would go well here, and nobody could sign in to the service."""
    terminal()
    simulator.faults.set("session", "other-organization")
    with pytest.raises(SystemExit):
        run("--school", SCHOOL)
    assert re.search(r"session +FAILED .*ForeignOrganization", capsys.readouterr().out)


def test_the_report_can_be_json(
    terminal: TypeCredentials, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal()
    run("--school", SCHOOL, "--json", "--username", "elsa.nordvall")
    report = json.loads(capsys.readouterr().out)
    assert report["ok"] is True
    assert [row["step"] for row in report["steps"]] == STEPS
    assert all(row["ok"] and row["ms"] >= 0 for row in report["steps"])


def test_the_school_list_alone_needs_no_credentials(
    simulator: Simulator, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("getpass.getpass", lambda _: pytest.fail("asked for a password"))
    run("--no-login")
    assert "6 schools" in capsys.readouterr().out


def test_the_school_is_required(simulator: Simulator, settings: Settings) -> None:
    settings.DEFAULT_SCHOOL = ""
    for arguments in ((), ("--school", "../x")):
        with pytest.raises(CommandError):
            run(*arguments)


def test_an_unreachable_upstream_is_reported(
    server: RawServer, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.UPSTREAM_URL = server.url
    server.script = always(http(status=500))
    with pytest.raises(SystemExit):
        run("--no-login", "--json")
    report = json.loads(capsys.readouterr().out)
    assert report["ok"] is False
    assert report["steps"][0]["error"] == "UpstreamFailing"
