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
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl, urlsplit

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from upstream import pkce, shared_client
from upstream.calls import lessons, login, schools, session, sign_in_page, web_sessions
from upstream.dialects import PAGE_DIALECTS, Dialect
from upstream.endpoints import is_slug
from upstream.errors import ForeignOrganization, UpstreamError, UpstreamInvalid
from upstream.records import ProvenSession, TokenGrant, UpstreamSession, WebSession

T = TypeVar("T")
# Then the code stays in the address bar of the browser, for whoever signs in to copy.
NOBODY_LISTENS: Final = "http://127.0.0.1:43117/callback"


class _StepFailed(Exception):
    """The report has the failure already."""


class Command(BaseCommand):
    help = (
        "Log in to the configured upstream system step by step and say how long each step took, "
        "with a password or (--page) through the school's own page. "
        "Credentials are read from the terminal, used once and stored nowhere. "
        "Exits with 1 when a step fails."
    )
    requires_system_checks = ()  # this must also work without database and Redis

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--school", help="slug; default: DEFAULT_SCHOOL")
        parser.add_argument("--username", help="default: read from the terminal")
        parser.add_argument("--week", type=int, help="ISO week of the lessons; default: this week")
        parser.add_argument(
            "--page",
            choices=sorted(PAGE_DIALECTS),
            help="sign in through the school's own page, as a person of this kind",
        )
        parser.add_argument(
            "--redirect-uri",
            default=NOBODY_LISTENS,
            help="with --page: where the school sends the browser; default: %(default)s",
        )
        parser.add_argument("--no-login", action="store_true", help="read only the school list")
        parser.add_argument("--json", action="store_true", help="one JSON object at the end")

    def handle(self, *args: Any, **options: Any) -> None:
        self._report: list[dict[str, Any]] = []
        self._quiet = options["json"]
        school = options["school"] or settings.DEFAULT_SCHOOL
        if not options["no_login"] and not is_slug(school):
            raise CommandError("Name a school: --school SLUG.")
        with suppress(_StepFailed):
            listed = self._step(
                "school list", lambda: schools.fetch_schools(shared_client.client())
            )
            if options["no_login"]:
                self._say(f"{len(listed)} schools")
            else:
                named = {number for row in listed if row.slug == school for number in row.org_ids}
                if options["page"]:
                    self._sign_in_at_page(school, named, options)
                else:
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
        self._read(school, organizations, grant, week, client.dialect(school))

    def _sign_in_at_page(
        self, school: str, organizations: set[int], options: dict[str, Any]
    ) -> None:
        client, kind = shared_client.client(), options["page"]
        dialect = PAGE_DIALECTS[kind]
        numbers = self._step(
            "methods", lambda: sign_in_page.fetch_login_methods(client, school=school, kind=kind)
        )
        self._say(f"ways to sign in: {', '.join(map(str, sorted(numbers or ()))) or 'not said'}")
        pair, state = pkce.make_pair(), pkce.make_state()
        url = sign_in_page.sign_in_url(
            client,
            school=school,
            kind=kind,
            redirect_uri=options["redirect_uri"],
            state=state,
            challenge=pair.challenge,
        )
        # On standard error, so that --json writes only JSON to standard output.
        self.stderr.write(
            f"Open this in a browser and sign in:\n\n{url}\n\n"
            "Then paste the address to which the browser was sent, or the code in it. "
            "It is not shown. The browser cannot open the page: nobody listens there."
        )
        code = self._step("callback", lambda: _code_in(getpass.getpass("Address: "), state))
        grant = self._step(
            "exchange",
            lambda: login.exchange_code(
                client, school=school, code=code, verifier=pair.verifier, dialect=dialect
            ),
        )
        self._say(f"a token of kind {grant.user_type or 'that it does not name'}")
        if kind == "guardian":
            token = grant.access_token
            guardian = self._step(
                "guardian",
                lambda: web_sessions.fetch_guardian(client, school=school, access_token=token),
            )
            self._say(f"{len(guardian.children)} children")
        self._read(school, organizations, grant, options["week"], dialect)

    def _read(
        self,
        school: str,
        organizations: set[int],
        grant: TokenGrant,
        week: int | None,
        dialect: Dialect,
    ) -> None:
        """The cookies of the token, whose they are, and the lessons of a week."""
        client = shared_client.client()
        week = week or date.today().isocalendar().week  # noqa: DTZ011, the operator's local day
        web = self._step(
            "translate",
            lambda: web_sessions.translate_token(
                client,
                school=school,
                access_token=grant.access_token,
                org_ids=tuple(sorted(organizations)),
                dialect=dialect,
            ),
        )
        who = self._step("session", lambda: _identify(school, organizations, web, dialect))
        try:
            answer = self._step(
                "lessons",
                lambda: lessons.fetch_lessons(client, web=_unproven(web, school, who), week=week),
            )
            # Only counts and roles: the output may be copied into a ticket.
            self._say(f"a {who.role}, {len(answer)} lessons in week {week}")
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


def _code_in(pasted: str, state: str) -> str:
    """The code in what somebody has pasted: an address, which has our state, or only the code."""
    values = dict(parse_qsl(urlsplit(pasted.strip()).query))
    if not values:
        return pasted.strip()
    if values.get("state") != state:
        raise UpstreamInvalid("an address with another state")
    if "code" not in values:
        raise UpstreamInvalid("an address without a code")
    return values["code"]


def _identify(
    school: str, organizations: set[int], web: WebSession, dialect: Dialect
) -> UpstreamSession:
    """Who has signed in, checked as the service does it."""
    who = session.fetch_session(shared_client.client(), school=school, web=web, dialect=dialect)
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
