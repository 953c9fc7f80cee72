"""The second factors of the version before this one are moved and encrypted."""

from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice

from staff.models import StaffDevice, StaffMember
from staff.services.members import set_roles, staff_schools
from tests.staff.conftest import sign_in

migration = import_module("accounts.migrations.0010_staff")


@pytest.fixture
def moa(db: None) -> User:
    set_roles()
    user = User.objects.create_user("moa", password="moas-old-password", is_staff=True)
    TOTPDevice.objects.create(user=user, name="app")
    Session.objects.create(session_key="a" * 32, session_data="", expire_date="2030-01-01 12:00Z")
    return user


def test_the_authenticator_app_keeps_working(moa: User) -> None:
    key = TOTPDevice.objects.get().bin_key
    migration.move_devices(apps, None)
    answer = sign_in(Client(), "moa", "moas-old-password", f"{totp(key):06d}")
    assert answer.status_code == 302
    assert StaffDevice.objects.get().user == moa
    assert staff_schools(moa) is None


def test_no_plain_key_and_no_old_session_is_left(moa: User) -> None:
    key = TOTPDevice.objects.get().key
    migration.move_devices(apps, None)
    assert not TOTPDevice.objects.exists()
    assert not Session.objects.exists()
    assert StaffMember.objects.get().user == moa
    with connection.cursor() as cursor:
        cursor.execute("SELECT key FROM accounts_staffdevice")
        assert key not in cursor.fetchone()[0]
