"""`manage.py demo_people`: everyone at the simulated schools has signed in once.

`make demo` calls it, so that there are profiles from the first minute. Running it again is safe.
"""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from accounts.services.login import Visitor, log_in
from accounts.services.session_records import end_record
from upstream.errors import UpstreamError
from upstream.simulator.people import demo_schools


class Command(BaseCommand):
    help = "Sign the people of the simulated schools in and out again (only with DEBUG)."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEBUG:
            raise CommandError("The demo people have known passwords: only with DEBUG=1.")
        visitor = Visitor(address="127.0.0.1", device="demo")
        for school in demo_schools().values():
            for person in school.people.values() if school.password_login else ():
                try:
                    done = log_in(
                        username=person.username,
                        password=person.password,
                        school=school.slug,
                        orgid=None,
                        visitor=visitor,
                    )
                except UpstreamError as error:
                    raise CommandError(
                        f"{person.username} cannot sign in at {school.slug}: "
                        f"{type(error).__name__}. Is UPSTREAM_URL the simulator?"
                    ) from None
                end_record(done.record, reason="logout", web=done.web)
