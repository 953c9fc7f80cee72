"""`manage.py demo_people`: everyone at the simulated schools has signed in once, and met others.

`make demo` calls it, so that there are profiles, friends, conversations and notes from the first
minute. Running it again is safe: what people have done since stays.
"""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from accounts.callers import Caller
from accounts.cookies import pair_hash
from accounts.services.login import LoginSource, SignedIn, log_in
from accounts.services.session_records import end_record
from upstream.errors import UpstreamError
from upstream.simulator.people import Person, demo_schools
from wrapper_project.demo.staff import create_demo_staff
from wrapper_project.demo.story import tell

SOURCE = LoginSource(address="127.0.0.1", device="demo")


class Command(BaseCommand):
    help = (
        "Sign the people of the simulated schools in and out again, and give them friends, "
        "conversations, notes and countdowns where they have none (only with DEBUG)."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEBUG:
            raise CommandError("The demo people have known passwords: only with DEBUG=1.")
        people = [
            person
            for school in demo_schools().values()
            for person in (school.people.values() if school.password_login else ())
        ]
        signed_in: list[SignedIn] = []
        try:
            signed_in.extend(_signed_in(person) for person in people)
            told = tell({one.account.username: _caller(one) for one in signed_in})
        finally:
            for one in signed_in:
                end_record(one.record, reason="logout", web=one.web)
        create_demo_staff()
        did = "have met" if told else "go on where they were"
        self.stdout.write(f"{len(signed_in)} people {did}.")


def _signed_in(person: Person) -> SignedIn:
    try:
        return log_in(
            username=person.username,
            password=person.password,
            school=person.school,
            orgid=None,
            source=SOURCE,
        )
    except UpstreamError as error:
        raise CommandError(
            f"{person.username} cannot sign in at {person.school}: "
            f"{type(error).__name__}. Is UPSTREAM_URL the simulator?"
        ) from None


def _caller(one: SignedIn) -> Caller:
    return Caller(
        account_id=one.account.pk,
        username=one.account.username,
        session_id=str(one.record.pk),
        session_key=str(one.record.pk),
        via="cookie",
        credential_hash=pair_hash(one.web),
        school=one.account.school,
        web=one.web,
        upstream=one.upstream,
    )
