"""docs/realtime.md names every event and close code, and its client works as written."""

import re
import subprocess
import sys
from pathlib import Path

from social.realtime.close_codes import CloseCode
from social.realtime.events import Event
from tests.social.conftest import SignIn
from tests.social.factories import dm_of
from tests.social.message_requests import changed, sent

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "realtime.md").read_text()


def section(title: str) -> str:
    return TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def words(title: str) -> set[str]:
    """The words in the first column of the table."""
    cells = re.findall(r"^\| ([^|]*) \|", section(title), re.MULTILINE)
    return {word.strip("`") for cell in cells for word in cell.split(", ")} - {"---"}


def names(kind: type[Event]) -> set[str]:
    own = {kind.type} if "type" in vars(kind) else set()
    return own.union(*(names(each) for each in kind.__subclasses__()))


def test_every_event_is_in_the_table_and_no_other() -> None:
    assert words("Events") - {"type"} == names(Event)


def test_every_close_code_is_in_the_table() -> None:
    assert {str(int(code)) for code in CloseCode} <= words("Close codes")


def test_the_client_follows_a_conversation(port: int, sign_in: SignIn) -> None:
    elsa, bo = sign_in(), sign_in("bo.ek")
    conversation = dm_of("elsa.nordvall", "bo.ek")
    sent(elsa, conversation, "Var är du?")
    (code,) = re.findall(r"```python\n(.*?)```", section("A client"), re.DOTALL)
    arguments = [f"http://127.0.0.1:{port}", bo.token, conversation.pk.hex]
    command = [sys.executable, "-c", code, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, bufsize=1) as client:
        try:
            assert client.stdout is not None
            lines = iter(client.stdout)
            assert next(lines).startswith("with ")
            assert next(lines) == "1 Elsa Nordvall Var är du?\n"
            # It has caught up.
            message = sent(elsa, conversation, "Hallå?")
            assert next(lines) == "2 Elsa Nordvall Hallå?\n"
            changed(elsa, conversation, message, "edit", content="Hallå där!")
            assert next(lines) == "2 Elsa Nordvall Hallå där!\n"
        finally:
            client.kill()
