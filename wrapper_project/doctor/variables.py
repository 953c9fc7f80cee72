"""Finds environment variables that are misspelt: nothing reads them, and nothing else says so."""

import difflib
import os
from collections.abc import Iterator

from wrapper_project.doctor.findings import Finding, fail, ok, warn
from wrapper_project.environment import Environment

# Read by the servers, the demo and the simulator, and not by the settings.
READ_ELSEWHERE = {"WEB_PORT", "SOCKETS_PORT", "BIND_HOST", "PORT", "SIMULATOR_PORT"}
# How similar two names are, from 0 to 1: one letter more or less of eight is 0.93. Less would find
# variables of other programs.
SIMILAR = 0.86


def check() -> Iterator[Finding]:
    found = False
    for name in sorted(os.environ):
        if meant := right_name(name):
            found = True
            if os.environ.get(meant):
                yield warn(f"nothing reads {name}.", f"Is it {meant}, which is set, too?")
            else:
                yield fail(f"nothing reads {name}, and {meant} is not set.", f"Is it {meant}?")
    if not found:
        yield ok("no misspelt variable.")


def right_name(name: str) -> str | None:
    """The variable of ours that a name nearly is; None for one that is right or not ours."""
    known = Environment.names_read | READ_ELSEWHERE
    suffix = "_FILE" if name.endswith("_FILE") else ""
    base = name.removesuffix(suffix)
    if base in known:
        return None
    similar = difflib.get_close_matches(base.upper(), known, n=1, cutoff=SIMILAR)
    return similar[0] + suffix if similar else None
