"""Reports from before there were cases."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.person_hash import hash_of_person
from social.models import Case
from tests.migration_states import migrated_back

BEFORE = [("social", "0005_invites")]


@pytest.mark.django_db(transaction=True)
def test_the_migration_moves_reports_into_cases() -> None:
    with migrated_back(BEFORE) as old:
        _make_reports(old)
    cases = {(case.target_id, case.status): case for case in Case.objects.all()}
    assert cases.keys() == {("a-1", "open"), ("a-1", "closed"), ("group", "open"), ("", "closed")}
    message = cases["a-1", "open"]
    assert message.reports.count() == 2
    assert (message.person_name, message.person_hash) == ("bo.ek", hash_of_person("bjorkdalen", 2))
    assert sorted(report.text for report in message.reports.all()) == ["mean", "mean too"]
    assert cases["a-1", "closed"].outcome == "acted"
    assert cases["", "closed"].outcome == "no_action"
    group = cases["group", "open"]
    assert (group.person, group.person_hash, group.school) == (None, "", "bjorkdalen")
    assert group.reports.get().disclosed == "secret"
    assert timezone.now() - group.created_at > timedelta(days=2)


def _make_reports(old: Any) -> None:
    accounts = old.get_model("accounts", "Account").objects
    elsa, bo, alva = (
        accounts.create(school="bjorkdalen", upstream_user_id=number, username=name)
        for number, name in enumerate(("elsa.nordvall", "bo.ek", "alva.lind"), start=1)
    )
    reports = old.get_model("social", "Report").objects
    now = timezone.now()
    message = {"target_type": "message", "target_id": "a-1", "subject": bo, "reason": "threat"}
    handled = {"status": "handled", "handled_at": now}
    reports.create(**message, reporter=elsa, **handled)
    reports.create(**message, reporter=elsa, text="mean")
    reports.create(**message, reporter=alva, text="mean too")
    emptied = {"target_type": "profile", "target_id": "", "reason": "spam"}
    reports.create(**emptied, status="dismissed", handled_at=now)
    group = {"target_type": "group", "target_id": "group", "subject": elsa, "reason": "other"}
    made = reports.create(**group, reporter=elsa, disclosed="secret")
    reports.filter(pk=made.pk).update(created_at=now - timedelta(days=3))
