"""The JavaScript of docs/clients.md follows conversations as the list shows them."""

import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from social.models import Conversation
from social.services.report_kinds.messages import hide_message, unhide_message
from tests.conftest import Caller
from tests.examples.programs import Running
from tests.social.aes_group import key_of, seal
from tests.social.cast import befriend_accounts
from tests.social.conftest import Sockets, cookie_header
from tests.social.factories import account, dm_of, group_of
from tests.social.message_requests import changed, message_path, sent
from upstream.simulator.server import Simulator

Json = dict[str, Any]
pytestmark = pytest.mark.node

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "clients.md").read_text()
PROGRAM = "\n".join(re.findall(r"^```js\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL))
# What a browser has and Node has not: the address of the page, and cookies.
BROWSER = """
import { createInterface } from "node:readline";
const [origin, cookies] = process.argv.slice(1);
const location = { origin };
const jar = new Map(cookies.split("; ").map((pair) => pair.split("=", 2)));
const header = () => [...jar].map((pair) => pair.join("=")).join("; ");
const asked = {};
let socket;
const fetch = async (path, options) => {
  asked[path] = 1 + (asked[path] ?? 0);
  const headers = { cookie: header() };
  const answer = await globalThis.fetch(origin + path, { ...options, headers });
  for (const line of answer.headers.getSetCookie()) {
    jar.set(...line.split(";", 1)[0].split("=", 2));
  }
  return answer;
};
class WebSocket extends globalThis.WebSocket {
  constructor(url) {
    super(url, { headers: { cookie: header(), origin } });
    socket = this;
  }
}
"""
# Prints what the page knows after each event, and does what a line of the input says.
WATCHED = """
const hearOne = hear;
let losing = false;
hear = async (event) => {
  if (losing) return (losing = false);
  await hearOne(event);
  console.log(JSON.stringify({ asked, conversations: [...conversations.values()] }));
};
const commands = {
  close: () => {
    socket.addEventListener("close", () => console.log("closed"));
    socket.close();
  },
  lose: () => {
    losing = true;
    console.log("losing");
  },
  ask: async () => {
    const found = await Promise.all([1, 2, 3].map(() => ask("/api/session")));
    console.log(JSON.stringify({ asked, names: found.map(({ name }) => name) }));
  },
};
createInterface({ input: process.stdin }).on("line", (line) => commands[line]());
listen();
"""


@contextmanager
def page_of(caller: Caller, port: int) -> Iterator[Running]:
    """The program as an app of this person."""
    code = BROWSER + PROGRAM + WATCHED
    node = ["node", "--experimental-websocket", "--no-warnings", "--input-type=module", "-e", code]
    process = subprocess.Popen(
        [*node, f"http://127.0.0.1:{port}", cookie_header(caller)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
        start_new_session=True,
    )
    running = Running(process)
    try:
        yield running
    finally:
        running.end()


def by_id(conversations: list[Json]) -> dict[str, Json]:
    return {each["id"]: each for each in conversations}


def wait_until_up_to_date(page: Running, caller: Caller) -> Json:
    """Read what the page prints until it knows what the list has now. Returns how often it asked
    for what."""
    expected = by_id(caller.get("/api/conversations").json()["conversations"])
    while True:
        state = json.loads(page.lines(1)[0])
        if by_id(state["conversations"]) == expected:
            asked: Json = state["asked"]
            return asked


def mark_read(caller: Caller, conversation: Conversation, **fields: int) -> None:
    path = f"/api/conversations/{conversation.pk.hex}"
    assert caller.patch(path, {"action": "mark_read", **fields}).status_code == 200


def test_events_keep_labels_and_counts_without_another_sync(sockets: Sockets) -> None:
    elsa, bo = sockets.sign_in(), sockets.sign_in("bo.ek")
    befriend_accounts(account("elsa.nordvall").pk, account("bo.ek").pk)
    dm, group = dm_of("elsa.nordvall", "bo.ek"), group_of("bo.ek", "elsa.nordvall")
    left = group_of("bo.ek", "elsa.nordvall")
    sent(bo, dm, "Före")
    with page_of(elsa, sockets.port) as page:
        wait_until_up_to_date(page, elsa)
        # Unread messages of another, one of them deleted, and an answer after them.
        gone = sent(bo, dm, "Ett")
        last = sent(bo, dm, "👍" * 130)
        sent(elsa, dm, "Mitt svar")
        assert bo.delete(message_path(dm, gone)).status_code == 200
        changed(bo, dm, last, "react", emoji="👍")
        # Read on another device, then an answer with nothing unread before it.
        note = bo.post("/api/notes", {"title": "Bergarter", "content": "Kalk"}).json()["note"]
        shared = bo.post(message_path(group), {"shareCard": {"type": "note", "noteId": note["id"]}})
        assert shared.status_code == 201
        mark_read(elsa, group)
        sent(elsa, group, "Tack")
        hidden = sent(bo, group, "Bort")
        hide_message(hidden["id"])
        wait_until_up_to_date(page, elsa)
        unhide_message(hidden["id"])
        changed(bo, group, hidden, "edit", content="Tillbaka")
        bo.patch(f"/api/conversations/{group.pk.hex}", {"action": "rename", "groupName": "Nytt"})
        # A new group, encrypted; and one that Elsa no longer is in.
        new = {"type": "group", "groupName": "H", "members": ["elsa.nordvall"], "encrypted": True}
        made = bo.post("/api/conversations", new).json()["conversation"]
        secret = seal(key_of("fras", b"salt"), "Hemligt")
        path = f"/api/conversations/{made['id']}/messages"
        assert bo.post(path, {"content": secret}).status_code == 201
        ended = {"action": "remove_member", "targetUsername": "elsa.nordvall"}
        assert bo.patch(f"/api/conversations/{left.pk.hex}", ended).status_code == 200
        # The newest one is longer than a label.
        sent(bo, dm, "👍" * 130)
        asked = wait_until_up_to_date(page, elsa)
    assert asked["/api/sync"] == 1


def test_a_page_that_missed_events_syncs(sockets: Sockets) -> None:
    elsa, bo = sockets.sign_in(), sockets.sign_in("bo.ek")
    dm = dm_of("elsa.nordvall", "bo.ek")
    messages = [sent(bo, dm, f"{number}") for number in range(4)]
    with page_of(elsa, sockets.port) as page:
        wait_until_up_to_date(page, elsa)
        # How many are unread after the second one, the page does not count itself.
        mark_read(elsa, dm, seq=2)
        assert wait_until_up_to_date(page, elsa)["/api/sync"] == 2
        page.type("close")
        assert page.lines(1) == ["closed"]
        assert bo.delete(message_path(dm, messages[3])).status_code == 200
        sent(bo, dm, "Medan du var borta")
        wait_until_up_to_date(page, elsa)
        page.type("lose")
        assert page.lines(1) == ["losing"]
        sent(bo, dm, "Förlorat")
        sent(bo, dm, "Framme")
        wait_until_up_to_date(page, elsa)


def test_requests_that_meet_a_dead_web_session_go_on_after_a_refresh(
    sockets: Sockets, simulator: Simulator, settings: Settings
) -> None:
    settings.SESSION_CHECK_SECONDS = 0
    elsa = sockets.sign_in()
    with page_of(elsa, sockets.port) as page:
        wait_until_up_to_date(page, elsa)
        person = simulator.state.person("bjorkdalen", "elsa.nordvall")
        simulator.state.kill_web_sessions(person)
        page.type("ask")
        found = json.loads(page.lines(1)[0])
    assert found["names"] == ["Elsa Nordvall"] * 3
    # Usually one; a 401 that comes after the refresh was answered asks for another.
    assert 1 <= found["asked"]["/api/refresh"] <= 3
