"""Runs the simulated school system until Ctrl-C."""

import os
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from upstream.simulator import server
from upstream.simulator.app import Application
from upstream.simulator.state import State


class Command(BaseCommand):
    help = "Serve a simulated school system, with demo people, until Ctrl-C."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        # As text: argparse converts it and reports an invalid value.
        port = os.environ.get("SIMULATOR_PORT") or "8901"
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=port, help=f"default: {port}")

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = options["host"], options["port"]
        try:
            listener = server.listen(host, port)
        except (OSError, OverflowError) as error:
            raise CommandError(f"Cannot listen on {host}:{port}: {error}.") from None
        app = Application(State())
        url = f"http://{host}:{listener.getsockname()[1]}"
        self.stdout.write(f"The school system, simulated: {url}")
        for school in app.state.schools.values():
            self.stdout.write(f"\n{school.name} ({school.slug})")
            for person in school.people.values():
                password = person.password if school.password_login else "(no password login)"
                self.stdout.write(f"  {person.role:9} {person.username.lower():16} {password}")
        self.stdout.write(f"\nFaults and more: {url}/_simulator/. Ctrl-C ends it.")
        self.stdout.flush()
        server.serve(app, listener)
