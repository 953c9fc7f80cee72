"""Re-encrypt every secret with the first of FIELD_ENCRYPTION_KEYS."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from accounts.services.key_rotation import Rotated, rotate_secrets


class Command(BaseCommand):
    help = (
        "Re-encrypt every secret column with the first of FIELD_ENCRYPTION_KEYS. Put the new key "
        "first, deploy, run this until it ends with 0, then drop the old key. It can be "
        "interrupted and run again. Exit code 1: some values still need an old or unknown key."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="Count, and change nothing.")

    def handle(self, *args: Any, dry_run: bool, **options: Any) -> None:
        def progress(rotated: Rotated) -> None:
            self.stderr.write(f"{rotated.seen} values looked at")

        rotated = rotate_secrets(dry_run=dry_run, progress=progress)
        verb = "to re-encrypt" if dry_run else "re-encrypted"
        self.stdout.write(
            f"{rotated.seen} values: {rotated.current} on the first key, {rotated.rotated} {verb}, "
            f"{rotated.contended} changed meanwhile, {rotated.unreadable} readable with no key."
        )
        if rotated.remaining or (dry_run and rotated.rotated):
            sys.exit(1)
