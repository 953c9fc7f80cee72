"""Upstream's session answer, checked to be of the school that was asked.

Only this module fetches it: whoever is identified by an answer has passed the check.
"""

from accounts.models import Account
from accounts.services.schools import organizations_of
from upstream.calls.children import fetch_parent_header
from upstream.calls.session import fetch_session
from upstream.dialects import Dialect
from upstream.errors import ForeignOrganization
from upstream.records import UpstreamSession, WebSession
from upstream.shared_client import client


def fetch_session_answer(
    *,
    school: str,
    web: WebSession,
    accepted: int | None = None,
    untrusted: bool = False,
    dialect: Dialect | None = None,
) -> UpstreamSession:
    """Whose web session this is. `accepted` is the organisation of the person's earlier answer,
    `dialect` that of the login, if it is not the school's.

    Raises: ForeignOrganization, and as `fetch_session`.
    """
    answer = fetch_session(client(), school=school, web=web, untrusted=untrusted, dialect=dialect)
    if accepted is None or answer.organization_id != accepted:
        _require_organization(school, web, answer)
    return answer


def _require_organization(school: str, web: WebSession, answer: UpstreamSession) -> None:
    """Several organisations can share a tenant of upstream, and number their people independently:
    the answer of another one would open a stranger's account.

    The list of schools says which organisations a slug has. Where it names none, that of the first
    answer is kept with the account, and no other is accepted, except that of a guardian's child.
    """
    known = set(organizations_of(school))
    if not known:
        person = Account.objects.filter(school=school, upstream_user_id=answer.user_id)
        org_id = person.values_list("organization_id", flat=True).first()
        if org_id is None:
            return
        known = {org_id}
    if answer.organization_id in known:
        return
    if answer.role != "guardian" or not _is_of_a_child(school, web, answer, known):
        raise ForeignOrganization


def _is_of_a_child(school: str, web: WebSession, answer: UpstreamSession, known: set[int]) -> bool:
    """Whether a guardian's organisation is that of one of their children. Another child has to be
    at one that is known: the children of a stranger would name a stranger's organisation, too."""
    header = fetch_parent_header(client(), school=school, web=web)
    org_ids = {school.org_id for child in header.children for school in child.schools}
    return answer.organization_id in org_ids and not org_ids.isdisjoint(known)
