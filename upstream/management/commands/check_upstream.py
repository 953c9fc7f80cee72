"""A smoke test against the real school system, with the credentials of whoever runs it.

They are read from the terminal, used once and stored nowhere: neither in a file nor in the output,
and the command line, which other users of the machine can read, takes no password.
"""

import argparse
import getpass
import json
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from typing import Any, TypeVar

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from upstream import pkce, shared_client
from upstream.calls import lessons, login, schools, session, web_sessions
from upstream.endpoints import is_slug
from upstream.errors import ForeignOrganization, UpstreamError
from upstream.records import ProvenSession, UpstreamSession, WebSession

T = TypeVar("T")


class _StepFailed(Exception):
    """The report has the failure already."""


class Command(BaseCommand):
    help = (
        "Log in to the configured upstream system step by step and say how long each step took. "
        "Credentials are read from the terminal, used once and stored nowhere. "
        "Exits with 1 when a step fails."
    )
    requires_system_checks = ()  # this must also work without database and Redis

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--school", help="slug; default: DEFAULT_SCHOOL")
        parser.add_argument("--username", help="default: read from the terminal")
        parser.add_argument("--week", type=int, help="ISO week of the lessons; default: this week")
        parser.add_argument("--no-login", action="store_true", help="read only the school list")
        parser.add_argument("--json", action="store_true", help="one JSON object at the end")

    def handle(self, *args: Any, **options: Any) -> None:
        self._report: list[dict[str, Any]] = []
        self._quiet = options["json"]
        school = options["school"] or settings.DEFAULT_SCHOOL
        if not options["no_login"] and not is_slug(school):
            raise CommandError("Name a school: --school SLUG.")
        with suppress(_StepFailed):
            found = self._step("school list", lambda: schools.fetch_schools(shared_client.client()))
            if options["no_login"]:
                self._say(f"{len(found)} schools")
            else:
                named = {number for row in found if row.slug == school for number in row.org_ids}
                self._log_in(school, named, options["username"], options["week"])
        failed = [row["step"] for row in self._report if not row["ok"]]
        self._say(f"FAILED: {', '.join(failed)}" if failed else "All steps went well.")
        if self._quiet:
            self.stdout.write(json.dumps({"ok": not failed, "steps": self._report}))
        if failed:
            sys.exit(1)

    def _log_in(
        self, school: str, organizations: set[int], username: str | None, week: int | None
    ) -> None:
        client = shared_client.client()
        week = week or date.today().isocalendar().week  # noqa: DTZ011, the operator's local day
        pair, state = pkce.make_pair(), pkce.make_state()
        name, password = username or _read_username(), getpass.getpass("Password: ")
        code = self._step(
            "authorize",
            lambda: login.authorize(
                client,
                school=school,
                username=name,
                password=password,
                challenge=pair.challenge,
                state=state,
            ),
        )
        grant = self._step(
            "exchange",
            lambda: login.exchange_code(client, school=school, code=code, verifier=pair.verifier),
        )
        web = self._step(
            "translate",
            lambda: web_sessions.translate_token(
                client, school=school, access_token=grant.access_token
            ),
        )
        who = self._step("session", lambda: _identify(school, organizations, web))
        try:
            found = self._step(
                "lessons",
                lambda: lessons.fetch_lessons(client, web=_unproven(web, school, who), week=week),
            )
            # Only counts and roles: the output may be copied into a ticket.
            self._say(f"a {who.role}, {len(found)} lessons in week {week}")
            self._say(f"token for {grant.expires_in} s, refresh token: {bool(grant.refresh_token)}")
        finally:
            self._step("logout", lambda: session.end_session(client, school=school, web=web))

    def _step(self, name: str, run: Callable[[], T]) -> T:
        """Run one step and report it. Raises: _StepFailed."""
        row: dict[str, Any] = {"step": name, "ok": True, "ms": 0}
        failure = ""
        began = time.perf_counter()
        try:
            return run()
        except UpstreamError as error:
            # The messages hold no URL, body, cookie or token (upstream/errors.py).
            row |= {"ok": False, "error": type(error).__name__, "detail": str(error)}
            failure = f"  {row['error']}: {row['detail']}"
            raise _StepFailed from None
        finally:
            row["ms"] = round((time.perf_counter() - began) * 1000)
            self._report.append(row)
            self._say(f"{name:<12} {'FAILED' if failure else 'ok':<7} {row['ms']:>6} ms{failure}")

    def _say(self, text: str) -> None:
        if not self._quiet:
            self.stdout.write(text)


def _identify(school: str, organizations: set[int], web: WebSession) -> UpstreamSession:
    """Who has signed in, checked as the service does it."""
    who = session.fetch_session(shared_client.client(), school=school, web=web)
    if organizations and who.organization_id not in organizations:
        raise ForeignOrganization
    return who


def _unproven(web: WebSession, school: str, who: UpstreamSession) -> ProvenSession:
    """The session without any proof of whose lessons it shows: this command only counts them."""
    return ProvenSession(web.jsessionid, web.hash, web.usertype, school=school, role=who.role)


def _read_username() -> str:
    # On standard error, so that --json writes only JSON to standard output.
    print("Username: ", end="", file=sys.stderr, flush=True)  # noqa: T201
    return input().strip()
