"""Import files: the people of the simulator in another back end, and runs of the command."""

import io
import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.core.management import CommandError, call_command

from tests.conftest import Caller

Json = dict[str, Any]
HEADER = {"type": "import", "version": 1, "source": "the old one"}
# (school, upstream user id, role) of some people of the simulator.
PEOPLE = {
    "Elsa.Nordvall": ("bjorkdalen", 730214, "student"),
    "Bo.Ek": ("bjorkdalen", 730217, "student"),
    "Alva.Lind": ("bjorkdalen", 730216, "student"),
    "Torbjörn.Ekvik": ("bjorkdalen", 500101, "teacher"),
    "Zoe.Åkerman": ("nyvang", 730300, "student"),
    "Karin.Holm": ("nyvang", 500102, "teacher"),
}
ELSA, BO, ALVA, TEACHER, ZOE, KARIN = "elsa", "bo", "alva", "torbjörn", "zoe", "karin"
NAMES = {name.partition(".")[0].lower(): name for name in PEOPLE}


def person(name: str, **fields: Any) -> Json:
    """A person of the simulator; the first name in lower case is the id in the source."""
    school, user_id, role = PEOPLE[NAMES[name]]
    first, _, last = NAMES[name].partition(".")
    who = {"school": school, "upstreamUserId": user_id, "username": NAMES[name]}
    names = {"firstName": first, "lastName": last, "userType": role}
    return {"type": "person", "id": name, **who, **names, **fields}


def friendship(asking: str, other: str, **fields: Any) -> Json:
    both = {"userA": asking, "userB": other, "requestedBy": asking, "status": "accepted"}
    own_id = f"{asking}-{other}"
    return {"type": "friendship", "id": own_id, **both, "createdAt": ago(days=90), **fields}


def block(blocking: str, other: str, **fields: Any) -> Json:
    row = {"type": "block", "id": f"{blocking}-{other}", "blocker": blocking, "blocked": other}
    return row | {"createdAt": ago(days=70)} | fields


def conversation(own_id: str, *people: str, **fields: Any) -> Json:
    row = {"type": "conversation", "id": own_id, "participants": list(people)}
    return row | {"createdAt": ago(days=80)} | fields


def group(own_id: str, *people: str, **fields: Any) -> Json:
    return conversation(own_id, *people, groupName="Ugglorna", admin=people[0], **fields)


def message(own_id: str, where: str, sender: str, content: str = "hej", **fields: Any) -> Json:
    row = {"type": "message", "id": own_id, "conversation": where, "sender": sender}
    return row | {"content": content, "createdAt": ago(days=40)} | fields


def note(own_id: str, owner: str, **fields: Any) -> Json:
    row = {"type": "note", "id": own_id, "owner": owner, "title": "Fotosyntes"}
    return row | {"content": "Ljus blir socker.", "createdAt": ago(days=20)} | fields


def countdown(own_id: str, owner: str, **fields: Any) -> Json:
    row = {"type": "countdown", "id": own_id, "owner": owner, "title": "Lov"}
    return row | {"targetDate": "2027-06-11", "createdAt": ago(days=20)} | fields


def ago(**time: float) -> int:
    """Unix milliseconds of a moment in the past."""
    return int((datetime.now(UTC) - timedelta(**time)).timestamp() * 1000)


def write(path: Path, rows: Iterable[Json | str], header: Json = HEADER) -> Path:
    """A file with these lines."""
    lines = (row if isinstance(row, str) else json.dumps(row) for row in [header, *rows])
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


class Run:
    """A finished run of the command: its summary by kind, and the refused lines."""

    def __init__(self, path: Path, *words: str) -> None:
        report = path.with_suffix(f".{len(list(path.parent.iterdir()))}.report")
        out, err = io.StringIO(), io.StringIO()
        self.status = 0
        try:
            call_command(
                "import_data", str(path), "--report", str(report), *words, stdout=out, stderr=err
            )
        except CommandError as error:
            self.status = error.returncode
            self.said = str(error)
        self.out, self.err = out.getvalue(), err.getvalue()
        rows = report.read_text().splitlines() if report.exists() else []
        self.report: list[Json] = [json.loads(row) for row in rows]
        self.reasons = {row["id"]: row["reason"] for row in self.report}

    def counts(self, kind: str) -> tuple[int, ...]:
        """(imported, there already, refused, too old)"""
        for line in self.out.splitlines():
            name, _, rest = line.partition(": ")
            if name == kind:
                return tuple(int(part.split()[0]) for part in rest.split(", "))
        return (0, 0, 0, 0)


def run(path: Path, *rows: Json | str) -> Run:
    """Import these lines, by way of a file in this directory."""
    return Run(write(path / "import.ndjson", rows))


def conversations(caller: Caller) -> Any:
    """Their list, the newest first."""
    return caller.get("/api/conversations").json()["conversations"]


def messages(caller: Caller, number: int = 0) -> Any:
    """Those in one of these conversations, the oldest first."""
    one = conversations(caller)[number]["id"]
    return caller.get(f"/api/conversations/{one}").json()["messages"]
