"""Checks the school system by its list of schools, which needs no login."""

import time
from collections.abc import Iterator

from django.conf import settings

from upstream import shared_client
from upstream.calls.schools import fetch_schools
from upstream.errors import UpstreamError
from wrapper_project.doctor.findings import Finding, fail, ok, warn


def check() -> Iterator[Finding]:
    """Whether it is reachable and has the schools of the settings."""
    began = time.monotonic()
    try:
        schools = fetch_schools(shared_client.client())
    except ValueError:
        yield fail("UPSTREAM_URL or UPSTREAM_DIALECT is invalid.")
        return
    except UpstreamError as error:
        # These messages contain no URL, body, cookie or token (upstream/errors.py).
        what = f"{type(error).__name__}: {error}".rstrip(": ")
        hint = "Check UPSTREAM_URL, then run `manage.py check_upstream --no-login`."
        yield fail(f"{what}.", hint)
        return
    yield ok(f"{len(schools)} schools, in {(time.monotonic() - began) * 1000:.0f} ms.")
    known = {school.slug for school in schools}
    for slug in {*settings.UPSTREAM_SCHOOLS, settings.DEFAULT_SCHOOL} - known - {""}:
        hint = "Check UPSTREAM_SCHOOLS and DEFAULT_SCHOOL: nobody can sign in there."
        yield warn(f"the school {slug} is not in their list.", hint)
