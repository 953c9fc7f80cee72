"""The doctor warns when nobody can handle reports."""

import pytest

from accounts.models import StaffDevice
from accounts.services.staff import enrol_staff, remove_staff, set_roles
from tests.wrapper_project.test_doctor import told
from wrapper_project.doctor import staff

# The doctor has a connection of its own, which sees only what is committed.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def roles() -> None:
    set_roles()


def test_it_warns_without_a_moderator() -> None:
    enrol_staff(username="ole", role="operator")
    assert "there is no moderator" in told(staff.check(), "warn")


def test_a_removed_moderator_does_not_count() -> None:
    enrol_staff(username="moa", role="moderator")
    assert "1 moderators, each" in told(staff.check(), "ok")
    remove_staff(StaffDevice.objects.get().user_id)
    assert "there is no moderator" in told(staff.check(), "warn")


def test_it_warns_of_moderators_without_a_second_factor() -> None:
    enrol_staff(username="moa", role="moderator")
    enrol_staff(username="mio", role="moderator")
    StaffDevice.objects.filter(user__username="mio").delete()
    assert "1 of 2 moderators have no second factor" in told(staff.check(), "warn")
