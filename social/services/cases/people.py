"""Whom a case is about: the members of a reported group, and people who come back."""

from django.db.models import Q

from accounts.contribution_types import EvidencePerson
from accounts.registry import report_kind
from social.models import Case, CaseAction
from social.services.evidence import from_text, hash_of


def people_in(case: Case) -> dict[str, EvidencePerson]:
    """Everybody whom the case may be about, by their keyed hash: who was a member of the group when
    it was reported, also if they have left or erased their account, and who is one now."""
    now = report_kind(case.target_type).collect_evidence(case.target_id)
    people: dict[str, EvidencePerson] = {}
    then = (from_text(report.evidence) for report in case.reports.only("evidence"))
    for evidence in (now, *then):
        for person in evidence.people if evidence else ():
            people.setdefault(hash_of(person), person)
    return people


def reported_by_person(case: Case) -> bool:
    """Whether the person whom the case is about has reported it too, also if they have erased
    their account since."""
    if not case.person_hash:
        return False
    # Reports from before `reporter_hash` have the account only.
    same = Q(reporter_hash=case.person_hash) | Q(reporter__isnull=False, reporter=case.person_id)
    return case.reports.filter(same).exists()


def link_new_account(account_id: int, person_hash: str) -> None:
    """Link the cases about an erased person to their new account."""
    cases = Case.objects.filter(person_hash=person_hash, person=None)
    cases.filter(target_type="profile").update(target_id=str(account_id))
    cases.update(person=account_id)
    CaseAction.objects.filter(person_hash=person_hash, person=None).update(person=account_id)
