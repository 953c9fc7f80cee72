"""Notifications in the export, and after an erasure."""

import io
import zipfile

import orjson
from django.core.management import call_command

from accounts.models import Account
from notifications.models import KindSetting, MutedConversation, Notification, NotificationSettings
from tests.accounts.full_account import fill_account
from tests.conftest import Caller, signed_in
from tests.notifications.actions import listed, of_kind


def test_the_export_has_notifications_and_settings(elsa: Caller) -> None:
    bo = signed_in("bo.ek")
    kept = fill_account(elsa, bo)
    answer = elsa.get("/api/account/export")
    archive = zipfile.ZipFile(io.BytesIO(b"".join(answer)))
    exported = orjson.loads(archive.read("notifications.json"))
    assert exported == listed(elsa)
    assert {each["kind"] for each in exported} >= {"message", "reply", "friend"}
    settings = orjson.loads(archive.read("notification-settings.json"))
    assert settings["kinds"] == {"message": "push"}
    assert settings["muted"] == [kept["dm"]]
    assert settings["watch"] is True


def test_an_erasure_deletes_them_and_what_others_were_told_of_the_person(
    elsa: Caller,
) -> None:
    bo = signed_in("bo.ek")
    fill_account(elsa, bo)
    elsa_id = Account.objects.get(username="elsa.nordvall").pk
    call_command("erase_account", "elsa.nordvall", "--yes")
    for model in (KindSetting, MutedConversation, Notification):
        assert not model.objects.filter(account=elsa_id).exists()
    assert not NotificationSettings.objects.exists()
    assert "Elsa" not in bo.get("/api/notifications").content.decode()
    assert of_kind(bo, "friend") == []
