"""A row of every model that has an encrypted column, and what clients read of them."""

from typing import Any

from django.utils import timezone

from accounts.models import Account, KeptText
from accounts.services.key_rotation import encrypted_columns
from notifications.models import PushSubscription
from notifications.services.notify import notify
from schoolproxy.models import CalendarFeed, ChildCalendarFeed, ScheduleChange, Watch
from schoolproxy.services.watch.state import WatchState
from social.models import Case, CaseAction, Conversation, GroupTextAuthor, PastMembership
from staff.services.members import enrol_staff, set_roles
from tests.conftest import Caller
from tests.contract.permission_matrix import PUSH
from tests.schoolproxy.feeds import lessons, new_feed, subscribed
from tests.social_actions import befriend, dm_of, report, say

LESSON = {"name": "Matematik", "startDate": "2026-03-09 08:00"}
CHANGE = {"change": "cancelled", "lesson": LESSON, "after": None}


def make_rows(elsa: Caller, bo: Caller) -> str:
    """Give Elsa, and the staff, something in every encrypted column. Returns the password of the
    member of staff `moa`."""
    account = Account.objects.get(username="elsa.nordvall")
    note_id = elsa.post("/api/notes", {"title": "A note"}).json()["note"]["id"]
    assert elsa.post(f"/api/notes/{note_id}/share").status_code == 201
    assert len(lessons(subscribed(new_feed(elsa)))) > 50
    assert elsa.post("/api/push/subscriptions", PUSH).status_code == 201
    notify(account.pk, "schedule", details={"changes": [CHANGE], "count": 1, "child": None})
    state = WatchState(child_name="Alva")
    Watch.objects.create(account=account, child_id=7, state=state.to_json())
    change = ScheduleChange(account=account, at=timezone.now())
    change.set_change(CHANGE)
    change.save()
    own = CalendarFeed.objects.get()
    about_child = ChildCalendarFeed(
        account=account, child_id=7, org_id=3, created_at=timezone.now(), weeks_at=own.weeks_at
    )
    about_child.set_token("the-token-of-the-child")
    about_child.weeks, about_child.history, about_child.dated = own.weeks, own.history, own.dated
    about_child.save()
    befriend(elsa, bo, ("elsa.nordvall", "bo.ek"))
    message = say(bo, dm_of(bo, "elsa.nordvall"), "Dumma du")
    report(elsa, "message", message["id"], "He said it again.")
    _make_rows_of_a_case(account)
    session = account.sessions.get()
    session.refresh_token = "a refresh token"
    session.save()
    set_roles()
    return enrol_staff(username="moa", role="moderator").password


def _make_rows_of_a_case(account: Account) -> None:
    Case.objects.update(closing_note="Talked to both.")
    CaseAction.objects.create(
        case=Case.objects.get(),
        name="warn",
        person_name="bo.ek",
        words="Stop it.",
        at=timezone.now(),
    )
    KeptText.objects.create(
        account=account,
        person_name="elsa.nordvall",
        target_type="message",
        target_id="a-message",
        texts='{"content": "Dumma du"}',
        change=KeptText.DELETED,
        gone_at=timezone.now(),
    )
    PastMembership.objects.create(
        account=account,
        person_name="elsa.nordvall",
        conversation=Conversation.objects.get(),
        joined_seq=0,
        left_seq=1,
        left_at=timezone.now(),
    )
    GroupTextAuthor.objects.create(
        account=account,
        person_name="elsa.nordvall",
        conversation=Conversation.objects.get(),
        text="name",
    )


def values() -> dict[str, Any]:
    """Every value of every encrypted column, decrypted, by column and primary key."""
    return {
        f"{model.__name__}.{field.name} {row.pk}": getattr(row, field.attname)
        for model, field in encrypted_columns()
        for row in model._base_manager.all()
    }


def read_by_clients(elsa: Caller) -> dict[str, Any]:
    """What the API makes of them."""
    paths = (
        "/api/notes",
        "/api/schedule/feed",
        "/api/notifications",
        "/api/schedule/changes?since=0",
        "/api/reports",
    )
    answers = {path: elsa.get(path).json() for path in paths}
    watch = elsa.get("/api/notifications/settings").json()
    feed = CalendarFeed.objects.get()
    return answers | {
        "watch": watch,
        "token": elsa.post("/api/token").json()["access_token"],
        "feed": len(lessons(subscribed(f"/feeds/{feed.token}.ics"))),
        "push": PushSubscription.objects.get().read_browser(),
    }
