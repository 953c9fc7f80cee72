"""`manage.py demo`: the service, a simulated school system and demo people on this machine.

`make demo` calls it. All processes end with it.
"""

import os
from contextlib import ExitStack
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from upstream.simulator.people import demo_schools
from upstream.simulator.server import listen
from wrapper_project.demo import staff as demo_staff
from wrapper_project.demo.processes import DemoProcesses, ProcessDied, Stopped
from wrapper_project.demo.story import GROUP_PASSPHRASE, shared_note_url

_INTRODUCTION = """
Open {service}/ in a browser.

Sign in as Elsa (school bjorkdalen, name elsa.nordvall, password elsa-demo), or as any of these
people (school, role, name, password):

{people}

Granskolan gives its people no passwords for apps. Choose it and who you are (pupil or guardian), then
"Sign in at the school's own page" and "BankID eller skolkonto", and there Tove Gran, a pupil, or Moa Gran, who is
the guardian of Tove and Olle. Somebody of the other kind stays on the school's page. As a native app does it:

  python examples/python/native_sign_in.py guardian

The people with a password already have friends, conversations, notes and countdowns. Elsa, for example, has a friend
request to answer, a group with a pinned message, and an encrypted group whose messages the service
cannot read (its members know the passphrase: {passphrase}).
She has shared a note: {shared}
The statistics are at {service}/stats

The service           {service}   (documentation: {service}/api/docs)
The simulated school  {simulator}   (its state: {simulator}/_simulator/)

Staff sign in at {service}/admin/ as {staff} with the password {password}.
This prints the code of the second factor: DEBUG=1 .venv/bin/python manage.py demo_code
An open case with a report is there, until you close it.

Try this in another terminal:

  curl -c cookies.txt {service}/api/login -d '{{"username": "elsa.nordvall", "password": "elsa-demo", "school": "bjorkdalen"}}'
  curl -b cookies.txt {service}/api/schedule
  curl -b cookies.txt {service}/api/session

Ctrl-C stops everything.
"""  # noqa: E501 - the lines are to be copied whole


class Command(BaseCommand):
    help = "Run the service, a simulated school system and demo people on this machine."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEBUG:
            raise CommandError(
                "The demo has publicly known passwords, so it runs only with DEBUG=1."
            )
        service, simulator = _port("PORT", 8000), _port("SIMULATOR_PORT", 8901)
        _check_ports(service, simulator)
        environment = dict(os.environ) | {
            "DEBUG": "1",
            "BIND_HOST": "127.0.0.1",
            "SOCKETS_PORT": str(service),
            "SIMULATOR_PORT": str(simulator),
            "UPSTREAM_URL": f"http://127.0.0.1:{simulator}",
            "LOGIN_REDIRECTS": "http://127.0.0.1/signed-in",
        }
        with DemoProcesses(environment) as children:
            try:
                self._start(children, service, simulator)
                self.stdout.write(_introduction(service, simulator, shared_note_url()))
                self.stdout.flush()
                children.watch()
            except Stopped:
                self.stdout.write("Stopping.")
            except ProcessDied as error:
                raise CommandError(str(error)) from None

    def _start(self, children: DemoProcesses, service: int, simulator: int) -> None:
        # What people of the demo write is nobody else's on this machine.
        os.umask(0o077)
        settings.DATA_DIR.chmod(0o700)
        self.stdout.write("Preparing the database and the demo people ...")
        self.stdout.flush()
        children.finish("The migration", "manage.py", "migrate", "--verbosity=0")
        children.start("The simulator", "manage.py", "simulate_upstream", quiet=True)
        children.wait_for_answer("The simulator", simulator, "/_simulator/")
        children.finish("The sign-in of the demo people", "manage.py", "demo_people")
        gunicorn = ("-m", "gunicorn", "-c", "deploy/sockets.conf.py")
        children.start("The service", *gunicorn, "wrapper_project.demo.asgi:application")
        children.wait_for_answer("The service", service, "/healthz")


def _port(name: str, default: int) -> int:
    text = os.environ.get(name) or str(default)
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 65536):
        raise CommandError(f"{name} is not a port number: {text!r}.")
    return int(text)


def _check_ports(service: int, simulator: int) -> None:
    """Raises: CommandError if a port is in use, before anything has started."""
    with ExitStack() as held:
        for name, port in (("PORT", service), ("SIMULATOR_PORT", simulator)):
            try:
                held.enter_context(listen("127.0.0.1", port))
            except OSError as error:
                raise CommandError(
                    f"Port {port} cannot be used ({error.strerror}). "
                    f"Choose another one: make demo {name}={port + 100 if port < 65000 else 8100}"
                ) from None


def _introduction(service: int, simulator: int, shared: str = "") -> str:
    people = [
        f"{school.slug:12} {person.role:9} {person.username.lower():16} {person.password}"
        for school in demo_schools().values()
        for person in school.people.values()
        if school.password_login
    ]
    here = f"http://127.0.0.1:{service}"
    return _INTRODUCTION.format(
        service=here,
        staff=demo_staff.NAME,
        password=demo_staff.PASSWORD,
        shared=f"{here}{shared}" if shared.startswith("/") else shared or "(no longer)",
        passphrase=GROUP_PASSPHRASE,
        simulator=f"http://127.0.0.1:{simulator}",
        people="\n".join(people),
    )
