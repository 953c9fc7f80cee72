"""The sessions of staff: Django's database sessions, found by a keyed hash of the cookie's key.

The table holds only the hash, so a copy of the database signs in nowhere.
"""

from datetime import timedelta
from typing import Any, cast

from axes.models import AccessAttempt
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.encryption import keyed_hash
from accounts.purging import Purged

# What the column holds: 160 bits.
STORED_LENGTH = 40
ATTEMPTS_KEPT = timedelta(days=30)


def stored_key(key: str) -> str:
    return keyed_hash("staff session", key)[:STORED_LENGTH]


class SessionStore(db.SessionStore):
    """`session_key` is the key in the cookie; the rows of the table have its hash.

    Only for synchronous views, as all of the staff site are: Django's asynchronous forms (`aget`,
    `asave`) would use the key of the cookie.
    """

    def _get_session_from_db(self) -> Session | None:
        rows = Session.objects.filter(expire_date__gt=timezone.now())
        row = rows.filter(session_key=stored_key(self.session_key or "")).first()
        if row is None:
            self._session_key = None
        return row

    def exists(self, session_key: str) -> bool:
        return bool(super().exists(stored_key(session_key)))

    def create_model_instance(self, data: Any) -> Session:
        row = super().create_model_instance(data)
        row.session_key = stored_key(row.session_key)
        return cast("Session", row)

    def delete(self, session_key: str | None = None) -> None:
        key = session_key or self.session_key
        if key is not None:
            super().delete(stored_key(key))


def end_sessions_of(user_id: int) -> int:
    """End every session of a member of staff. Returns how many there were."""
    theirs = [
        row.pk
        for row in Session.objects.all()
        if SessionStore().decode(row.session_data).get("_auth_user_id") == str(user_id)
    ]
    return Session.objects.filter(pk__in=theirs).delete()[0]


def purge_staff_sign_ins(dry_run: bool = False) -> Purged:
    """Delete expired staff sessions, and failed sign-ins that are older than 30 days."""
    now = timezone.now()
    rows = (
        Session.objects.filter(expire_date__lt=now),
        AccessAttempt.objects.filter(attempt_time__lt=now - ATTEMPTS_KEPT),
    )
    count = sum(expired.count() if dry_run else expired.delete()[0] for expired in rows)
    noun = "old staff sessions and failed sign-ins"
    return Purged(noun, "deleted", seen=count, expired=count)
