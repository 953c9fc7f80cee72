"""`manage.py doctor`: finds problems of this deployment, and says how to fix them."""

import dataclasses
import json
import shutil
import sys
import textwrap
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from wrapper_project.doctor import run_checks_in_parallel
from wrapper_project.doctor.findings import Finding

WIDEST = 110
STATE_WIDTH = 6


class Command(BaseCommand):
    help = (
        "Check the settings, the database, Redis, the keys, the school system and the clocks, and "
        "print a table. Changes nothing, prints no secret, ends within half a minute. Exit code 1 "
        "if a check fails. Run it after each deployment and each change of settings."
    )
    # It reports their findings itself, and must run even if they fail.
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="One JSON object.")

    def handle(self, *args: Any, **options: Any) -> None:
        findings = list(run_checks_in_parallel())
        failed = sum(finding.state == "fail" for finding in findings)
        warned = sum(finding.state == "warn" for finding in findings)
        if options["json"]:
            rows = [dataclasses.asdict(finding) for finding in findings]
            self.stdout.write(json.dumps({"ok": not failed, "findings": rows}))
        else:
            self._table(findings)
            self.stdout.write(f"\n{len(findings)} checks: {failed} fail, {warned} warn.")
        if failed:
            sys.exit(1)

    def _table(self, findings: list[Finding]) -> None:
        first = max(len(finding.check) for finding in findings) + 2
        width = min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns)
        columns = max(40, width - first - STATE_WIDTH)
        styles = {"ok": self.style.SUCCESS, "warn": self.style.WARNING, "fail": self.style.ERROR}
        for finding in findings:
            lines = textwrap.wrap(finding.what, columns)
            lines += textwrap.wrap(f"→ {finding.hint}", columns) if finding.hint else []
            state = styles[finding.state](finding.state.ljust(STATE_WIDTH))
            self.stdout.write(f"{finding.check:<{first}}{state}{lines[0]}")
            for line in lines[1:]:
                self.stdout.write(" " * (first + STATE_WIDTH) + line)
