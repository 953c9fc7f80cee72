"""Checks that somebody can handle reports."""

from collections.abc import Iterator

from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper

from accounts.models import StaffDevice
from wrapper_project.doctor import database
from wrapper_project.doctor.findings import Finding, ok, warn

MODERATORS = """
    SELECT count(*) FROM auth_user WHERE is_active AND is_staff AND id IN (
        SELECT user_id FROM auth_user_groups JOIN auth_group ON auth_group.id = group_id
        WHERE auth_group.name = 'moderator')
"""
WITHOUT_DEVICE = f"""
    {MODERATORS} AND id NOT IN (SELECT user_id FROM accounts_staffdevice WHERE confirmed)
"""  # noqa: S608 - a constant


def check() -> Iterator[Finding]:
    """A moderator exists, each can sign in, and somebody hears of a report."""
    if not (settings.REPORTS_TO and settings.EMAIL_URL):
        hint = "Set REPORTS_TO and EMAIL_URL, and run `remind_reports` every five minutes."
        yield warn("nobody hears of a new report by mail.", hint)
    try:
        with database.own_connection() as own:
            if StaffDevice._meta.db_table in own.introspection.table_names():
                yield from _moderators(own)
    except database.Unavailable:
        yield warn("staff could not be checked: the database is unavailable.")


def _moderators(own: BaseDatabaseWrapper) -> Iterator[Finding]:
    moderators = database.ask(own, MODERATORS)
    locked_out = database.ask(own, WITHOUT_DEVICE)
    if not moderators:
        yield warn("there is no moderator, so nobody handles reports.", "Run `create_staff`.")
    elif locked_out:
        text = f"{locked_out} of {moderators} moderators have no second factor."
        yield warn(text, "See `list_staff`; `create_staff NAME --reset` makes a new one.")
    else:
        yield ok(f"{moderators} moderators, each with a second factor.")
