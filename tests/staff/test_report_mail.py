"""`manage.py remind_reports`: staff hear by mail of reports that wait."""

import email
import email.message
import email.policy
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, ClassVar

import pytest
import time_machine
from django.core.mail.backends.base import BaseEmailBackend
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from pytest_django.fixtures import Settings

from social.models import Case
from social.services.cases.actions import mark_opened
from tests.conftest import Caller
from tests.social_actions import report

pytestmark = pytest.mark.usefixtures("simulator", "db")


@pytest.fixture
def mailbox(settings: Settings, tmp_path: Path) -> Path:
    """Each mail becomes a file in this folder."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    settings.EMAIL_FILE_PATH = str(tmp_path)
    settings.EMAIL_URL = f"filemail://{tmp_path}"
    settings.REPORTS_TO = ["moa@school.example", "nils@school.example"]
    settings.PUBLIC_URL = "https://app.school.example"
    return tmp_path


@pytest.fixture
def waiting(mailbox: Path, elsa: Caller, bo: Caller) -> Path:
    """The mailbox of staff, after Elsa has reported Bo."""
    report(elsa, "profile", "bo.ek", "He says that he will hit me.")
    return mailbox


def mails(mailbox: Path) -> list[email.message.EmailMessage]:
    # Two mails of one second can be in one file.
    files = [file.read_bytes() for file in sorted(mailbox.iterdir())]
    texts = [text for file in files for text in file.split(b"-" * 79 + b"\n")[:-1]]
    return [email.message_from_bytes(text, policy=email.policy.default) for text in texts]


def test_a_new_report_is_mailed_once_and_without_its_content(waiting: Path) -> None:
    for _ in range(2):
        call_command("remind_reports")
    [mail] = mails(waiting)
    assert mail["To"] == "moa@school.example, nils@school.example"
    text = mail.get_content()
    assert "There is 1 new report." in text
    assert "https://app.school.example/admin/social/case/" in text
    for secret in ("hit me", "bo.ek", "elsa", "Bo", "Elsa"):
        assert secret not in f"{mail['Subject']} {text}"


def test_a_report_that_nobody_opens_is_said_again_every_day(
    mailbox: Path, elsa: Caller, bo: Caller
) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        report(elsa, "profile", "bo.ek")
        for hours in (0, 23, 1, 23, 1):
            clock.shift(timedelta(hours=hours))
            call_command("remind_reports")
        assert len(mails(mailbox)) == 3
        assert "1 report has waited for more than a day" in mails(mailbox)[-1].get_content()
        Case.objects.update(opened_at=timezone.now())
        clock.shift(timedelta(days=2))
        call_command("remind_reports")
    assert len(mails(mailbox)) == 3


def test_a_report_that_joins_an_opened_case_is_mailed(waiting: Path, bo: Caller) -> None:
    call_command("remind_reports")
    mark_opened(Case.objects.get().pk)
    report(bo, "profile", "bo.ek")
    for _ in range(2):
        call_command("remind_reports")
    _first, second = mails(waiting)
    assert "There is 1 new report." in second.get_content()
    # Its link shows the case, which somebody has opened.
    assert "opened_at" not in second.get_content()


def test_one_that_joins_a_case_that_waits_is_not_mailed_again(waiting: Path, bo: Caller) -> None:
    call_command("remind_reports")
    report(bo, "profile", "bo.ek")
    call_command("remind_reports")
    assert len(mails(waiting)) == 1


def test_what_staff_have_opened_before_the_mail_is_not_new(waiting: Path, bo: Caller) -> None:
    mark_opened(Case.objects.get().pk)
    call_command("remind_reports")
    report(bo, "profile", "bo.ek")
    mark_opened(Case.objects.get().pk)
    call_command("remind_reports")
    assert mails(waiting) == []


class WatchedBackend(BaseEmailBackend):
    """Notes whether each mail left within a transaction."""

    in_transaction: ClassVar[list[bool]] = []

    def send_messages(self, email_messages: Sequence[Any]) -> int:
        self.in_transaction.append(connection.in_atomic_block)
        return len(email_messages)


@pytest.mark.django_db(transaction=True)
def test_no_lock_is_held_while_the_mail_leaves(waiting: Path, settings: Settings) -> None:
    settings.EMAIL_BACKEND = f"{__name__}.WatchedBackend"
    WatchedBackend.in_transaction.clear()
    call_command("remind_reports")
    assert WatchedBackend.in_transaction == [False]


def test_a_mail_that_cannot_be_sent_is_tried_again(
    mailbox: Path, elsa: Caller, bo: Caller, settings: Settings
) -> None:
    backend, smtp = settings.EMAIL_BACKEND, "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    with time_machine.travel(timezone.now(), tick=False) as clock:
        report(elsa, "profile", "bo.ek")
        for hours in (0, 24, 24):  # the first mail, and those of every day
            clock.shift(timedelta(hours=hours))
            settings.EMAIL_BACKEND = smtp
            with pytest.raises(CommandError, match="could not be sent"):
                call_command("remind_reports")
            settings.EMAIL_BACKEND = backend
            call_command("remind_reports")
    assert len(mails(mailbox)) == 3


def test_it_speaks_the_default_language(waiting: Path, settings: Settings) -> None:
    settings.DEFAULT_LANGUAGE = "sv"
    call_command("remind_reports")
    assert "1 ny anmälan" in mails(waiting)[0].get_content()


def test_a_dry_run_counts_and_sends_nothing(
    waiting: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("remind_reports", "--dry-run")
    assert "1 new and 0 waiting reports would be mailed" in capsys.readouterr().out
    assert mails(waiting) == []
    call_command("remind_reports")
    assert len(mails(waiting)) == 1


def test_without_an_address_it_says_so_and_its_timer_does_not_fail(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.REPORTS_TO = []
    call_command("remind_reports")
    assert "REPORTS_TO is not set" in capsys.readouterr().out
    settings.REPORTS_TO, settings.EMAIL_URL = ["moa@school.example"], ""
    with pytest.raises(CommandError, match="EMAIL_URL is not set"):
        call_command("remind_reports")
