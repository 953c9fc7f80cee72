"""Every command has a help text."""

import pytest
from django.core.management import ManagementUtility, get_commands

from wrapper_project.observability.log_config import OURS

COMMANDS = sorted(name for name, app in get_commands().items() if app in OURS)


def test_there_are_commands() -> None:
    assert {"demo", "simulate_upstream", "check_upstream", "purge_expired"} <= set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_description(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        ManagementUtility(["manage.py", name, "--help"]).execute()
    assert not ended.value.code
    said = capsys.readouterr()
    assert said.err == ""
    usage, _, rest = said.out.partition("\n\n")
    assert usage.startswith(f"usage: manage.py {name}")
    assert not rest.startswith("options:"), "the command has no description"
