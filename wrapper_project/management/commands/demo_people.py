"""`manage.py demo_people`: creates accounts and data for the people of the simulated schools.

`make demo` calls it. Running it again is safe: existing data stays.
"""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from accounts.callers import Caller
from accounts.cookies import pair_hash
from accounts.services.ended_sessions import end_record
from accounts.services.login import log_in
from accounts.services.sign_in import LoginSource, SignedIn
from upstream.errors import UpstreamError
from upstream.simulator.people import Person, demo_schools
from wrapper_project.demo.staff import create_demo_staff
from wrapper_project.demo.story import create_demo_data


class Command(BaseCommand):
    help = (
        "Sign the people of the simulated schools in and out again, and give them friends, "
        "conversations, notes and countdowns where they have none (only with DEBUG)."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEBUG:
            raise CommandError(
                "The demo people have publicly known passwords, so this runs only with DEBUG=1."
            )
        people = [
            person
            for school in demo_schools().values()
            for person in (school.people.values() if school.password_login else ())
        ]
        signed_in: list[SignedIn] = []
        try:
            signed_in.extend(_signed_in(person) for person in people)
            created = create_demo_data(
                {person.account.username: _caller(person) for person in signed_in}
            )
        finally:
            for signed in signed_in:
                end_record(signed.record.pk, reason="logout", web=signed.web)
        create_demo_staff()
        data = "Their data was created." if created else "Their data is unchanged."
        self.stdout.write(f"{len(signed_in)} people. {data}")


def _signed_in(person: Person) -> SignedIn:
    try:
        return log_in(
            username=person.username,
            password=person.password,
            school=person.school,
            source=LoginSource(address="127.0.0.1", device="demo"),
        )
    except UpstreamError as error:
        raise CommandError(
            f"{person.username} cannot sign in at {person.school}: "
            f"{type(error).__name__}. Is UPSTREAM_URL the simulator?"
        ) from None


def _caller(person: SignedIn) -> Caller:
    return Caller(
        account_id=person.account.pk,
        username=person.account.username,
        session_id=str(person.record.pk),
        session_key=str(person.record.pk),
        via="cookie",
        credential_hash=pair_hash(person.web),
        school=person.account.school,
        web=person.web,
        upstream=person.upstream,
    )
