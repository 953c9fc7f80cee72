"""Clients that read the data of a guardian's children again and again, and check each answer.

Each has the login of a browser or of a native app, perhaps the same as another client, and asks one
of several server processes at random. Every answer must name the child that was asked for, and have
this child's lessons only.
"""

import threading
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

import orjson
import urllib3

from tests.schoolproxy.family import ALVA, BO, GUARDIAN, NAMES, SCHOOL

WEEKS = range(1, 9)
PREFIX = "wrapper_"


@dataclass
class Findings:
    """What all clients together have seen."""

    wanted: int
    owners: dict[tuple[int, Any], str]
    """Whose lesson it is, by week and event id."""
    answers: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def done(self) -> bool:
        return self.answers["reads"] >= self.wanted or bool(self.wrong)

    def count(self, name: str) -> None:
        with self.lock:
            self.answers[name] += 1

    def check(self, week: int, asked: str | None, body: dict[str, Any]) -> None:
        """An answer about `asked` (None: about the default)."""
        self.count("stale" if body.get("stale") else "not stale")
        self.count("reads")
        child = body.get("child")
        if child not in [{"id": each, "name": NAMES[each]} for each in NAMES]:
            self.wrong.append(f"an answer without a name: {child}")
        elif asked not in (None, child["id"]):
            self.wrong.append(f"{asked} was asked for and {child['id']} named")
        else:
            marks = {self.owners.get((week, each.get("eventId"))) for each in body["schedule"]}
            if marks - {None} != {child["id"]}:
                self.wrong.append(f"week {week} of {child['id']} has lessons of {marks}")


class Login:
    """One login, which several clients may share. `web`: with cookies, else with a Bearer token."""

    def __init__(self, urls: list[str], *, web: bool) -> None:
        self.urls = urls
        self.web = web
        self.cookies: dict[str, str] = {}
        self.token = ""
        self.renewing = threading.Lock()
        self.http = urllib3.PoolManager(retries=False, maxsize=4)

    def ask(self, method: str, url: str, body: Any = None) -> tuple[int, dict[str, Any]]:
        """(status, body). Cookies of the answer are kept, as a browser does."""
        headers = {"Content-Type": "application/json", "Cache-Control": "no-cache"}
        if not self.web and self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        elif self.web:
            cookies = dict(self.cookies)
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
        if "week=" in url and not url.endswith("&fresh"):
            del headers["Cache-Control"]
        sent = None if body is None else orjson.dumps(body)
        answer = self.http.request(method, url, headers=headers, body=sent, timeout=40)
        if self.web:
            lines = answer.headers.getlist("Set-Cookie")
            pairs = [line.partition(";")[0].partition("=") for line in lines]
            self.cookies |= {name: value for name, _, value in pairs if value}
        found: dict[str, Any] = orjson.loads(answer.data)
        return answer.status, found

    def sign_in(self) -> None:
        body = {"username": GUARDIAN, "password": "eva-demo", "school": SCHOOL}
        self.cookies = {}
        status, found = self.ask("POST", f"{self.urls[0]}/api/login", body)
        if status == 200:
            self.token = found["token"]

    def renew(self) -> None:
        """What a client does after a 401: a refresh, else a new login."""
        if not self.renewing.acquire(blocking=False):
            with self.renewing:
                return  # another client of the login has just done it
        try:
            if not self.web or self.ask("POST", f"{self.urls[0]}/api/refresh")[0] != 200:
                self.sign_in()
        finally:
            self.renewing.release()


class Reader:
    """One client."""

    def __init__(self, login: Login, findings: Findings, seed: str) -> None:
        self.login = login
        self.findings = findings
        self.random = Random(seed)

    def run(self) -> None:
        while not self.findings.done:
            self._act()

    def _act(self) -> None:
        choice = self.random.random()
        url = self.random.choice(self.login.urls)
        if choice < 0.01 and self.login.web:
            self.login.ask("POST", f"{url}/api/refresh")
        elif choice < 0.02:
            child = self.random.choice([BO, ALVA, None])
            self.login.ask("PUT", f"{url}/api/children/default", {"id": child})
        else:
            self._read(url)

    def _read(self, url: str) -> None:
        asked = self.random.choice([BO, ALVA, BO, ALVA, None])
        week = self.random.choice(WEEKS)
        path = f"/api/schedule?week={week}" + (f"&child={asked}" if asked else "")
        fresh = "&fresh" if self.random.random() < 0.2 else ""
        status, body = self.login.ask("GET", url + path + fresh)
        self.findings.count(f"{status} {body.get('code', '')}".strip())
        if status == 200:
            self.findings.check(week, asked, body)
        elif status == 401:
            self.login.renew()
