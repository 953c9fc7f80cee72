"""`manage.py doctor`: finds problems of this deployment, and says how to fix them."""

import dataclasses
import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from wrapper_project.doctor import examine
from wrapper_project.doctor_findings import Finding


class Command(BaseCommand):
    help = (
        "Check the settings, the database, Redis, the keys, jobs, staff, the school system and the "
        "clocks. Changes nothing, prints no secret, ends within half a minute. Exit code 1 if a "
        "check fails. Run it after each deployment and each change of settings."
    )
    # It reports their findings itself, and must run even if they fail.
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="One JSON object.")

    def handle(self, *args: Any, **options: Any) -> None:
        findings = []
        for finding in examine():
            findings.append(finding)
            if not options["json"]:
                self._write(finding)
        failed = sum(finding.state == "fail" for finding in findings)
        warned = sum(finding.state == "warn" for finding in findings)
        if options["json"]:
            rows = [dataclasses.asdict(finding) for finding in findings]
            self.stdout.write(json.dumps({"ok": not failed, "findings": rows}))
        else:
            self.stdout.write(f"\n{len(findings)} checks: {failed} fail, {warned} warn.")
        if failed:
            sys.exit(1)

    def _write(self, finding: Finding) -> None:
        """One line of the table, at once: what comes after it may take seconds."""
        styles = {"ok": self.style.SUCCESS, "warn": self.style.WARNING}
        state = styles.get(finding.state, self.style.ERROR)(finding.state.ljust(6))
        hint = f"\n{'':18}→ {finding.hint}" if finding.hint else ""
        self.stdout.write(f"{finding.check:<12}{state}{finding.what}{hint}")
        self.stdout.flush()
