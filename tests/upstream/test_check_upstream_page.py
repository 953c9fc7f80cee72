"""The smoke test through the school's own page, with an address that a person pastes."""

import json
import re
import sys
from collections.abc import Callable

import pytest
from django.core.management import call_command

from tests.school_page import callback_values, sign_in_at_school
from upstream.simulator.server import Simulator

Paste = Callable[..., list[str]]


@pytest.fixture
def paste(
    simulator: Simulator, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Paste:
    """Signs in at the address that the command prints, and pastes what `change` makes of the
    callback. Returns the list that gets the callback."""

    def prepare(username: str, change: Callable[[str], str] = str) -> list[str]:
        seen: list[str] = []

        def prompt(_prompt: str) -> str:
            shown = capsys.readouterr()
            sys.stdout.write(shown.out)
            address = re.search(r"^http://\S+/react/#\S+$", shown.err, re.MULTILINE)
            assert address, shown.err
            callback = sign_in_at_school(address[0], username)
            assert callback is not None
            seen.append(callback)
            return change(callback)

        monkeypatch.setattr("getpass.getpass", prompt)
        return seen

    return prepare


def run(kind: str, *more: str) -> None:
    call_command("check_upstream", "--school", "granskolan", "--page", kind, *more)


@pytest.mark.parametrize(
    ("kind", "username", "steps"),
    [
        ("student", "tove.gran", ["methods", "callback", "exchange", "translate", "session"]),
        ("guardian", "moa.gran", ["methods", "exchange", "guardian", "translate", "lessons"]),
    ],
)
def test_every_step_is_reported_without_secrets(
    paste: Paste,
    capsys: pytest.CaptureFixture[str],
    kind: str,
    username: str,
    steps: list[str],
) -> None:
    seen = paste(username)
    run(kind)
    printed = capsys.readouterr()
    for step in [*steps, "logout"]:
        assert f"{step:<12} ok" in printed.out
    assert "All steps went well." in printed.out
    assert "refresh token: True" in printed.out
    assert seen[0].startswith("http://127.0.0.1:43117/callback?code=")
    for secret in callback_values(seen[0]).values():
        assert secret not in printed.out + printed.err
    assert not re.search(r"[A-Za-z0-9_.-]{20,}", printed.out), "a code or a token"


def test_the_code_alone_can_be_pasted(paste: Paste, capsys: pytest.CaptureFixture[str]) -> None:
    paste("tove.gran", lambda callback: callback_values(callback)["code"])
    run("student")
    assert "All steps went well." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "step"),
    [
        (lambda callback: callback.replace("state=", "state=x"), "callback"),
        (lambda callback: callback.replace("code=", "other="), "callback"),
        (lambda callback: callback.replace("code=", "code=x"), "exchange"),
        (lambda _callback: "", "exchange"),
    ],
)
def test_what_cannot_be_used_is_reported(
    paste: Paste,
    capsys: pytest.CaptureFixture[str],
    change: Callable[[str], str],
    step: str,
) -> None:
    paste("tove.gran", change)
    with pytest.raises(SystemExit):
        run("student")
    assert f"{step:<12} FAILED" in capsys.readouterr().out


def test_the_report_can_be_json(paste: Paste, capsys: pytest.CaptureFixture[str]) -> None:
    paste("moa.gran")
    run("guardian", "--json")
    report = json.loads(capsys.readouterr().out)
    assert report["ok"]
    assert [row["step"] for row in report["steps"]][:3] == ["school list", "methods", "callback"]
