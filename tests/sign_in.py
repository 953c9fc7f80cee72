"""A session without the login, for tests that are not about signing in.

The simulator gets the token and the cookies that its login would have issued, the database the
rows, and the store the validated session. `Caller.sign_in` is the whole way.
"""

from dataclasses import replace

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from accounts.cookies import encoded_username
from accounts.models import Account, RetiredName
from accounts.name_comparison import name_key
from accounts.services.profiles import create_profile
from accounts.services.session_records import create_record
from accounts.services.usernames import public_form
from accounts.session_cache import CachedSession, current_refusals, remember
from upstream.records import TokenGrant, UpstreamSession, WebSession
from upstream.simulator.people import Person
from upstream.simulator.server import Simulator
from upstream.simulator.settings import SimulatorSettings
from upstream.simulator.state import State


def is_plain(simulator: Simulator, person: Person) -> bool:
    """Whether a login would make a person and a session, and nothing else would happen."""
    return (
        simulator.url == settings.UPSTREAM_URL
        and settings.UPSTREAM_DIALECT == {"": "specified"}
        and simulator.state.settings == SimulatorSettings()
        and not _is_known(person)
        and not RetiredName.objects.exists()
    )


def add_session(state: State, person: Person) -> tuple[dict[str, str], str, Account]:
    """A new session of a person: the values of our cookies by name, the access token, and the
    account."""
    simulated = state.open_web_session(person, "specified")
    usertype, usertype_name = simulated.user_type
    seconds = state.settings.token_seconds
    grant = TokenGrant(state.tokens.issue_token(person, seconds), seconds)
    web = WebSession(simulated.jsessionid, simulated.hash, str(usertype))
    school = state.schools[person.school]
    answer = UpstreamSession(
        user_id=person.user_id,
        user_name=person.username,
        first_name=person.first_name,
        last_name=person.last_name,
        email=person.email,
        organization_id=school.org_id,
        organization_name=school.name,
        role=person.role,
        user_type_id=usertype,
        user_type_name=usertype_name,
    )
    with transaction.atomic():
        account = accounts_of(person).first() or _create_account(person, answer)
        record = create_record(account=account, grant=grant, web=web, device="")
    session = CachedSession.of_record(record, web, answer)
    session = replace(session, refusals=current_refusals())
    remember(session, record.pair_hash, record.token_hash)
    cookies = {
        "jsessionid": web.jsessionid,
        "hash": web.hash,
        "usertype": str(usertype),
        "school": school.slug,
        "username": encoded_username(person.username),
    }
    return cookies, grant.access_token, account


def _create_account(person: Person, answer: UpstreamSession) -> Account:
    name = public_form(person.username)
    account = Account.objects.create(
        school=person.school,
        upstream_user_id=person.user_id,
        organization_id=answer.organization_id,
        username=name,
        name_key=name_key(name),
    )
    create_profile(account, answer)
    return account


def accounts_of(person: Person) -> QuerySet[Account]:
    return Account.objects.filter(school=person.school, upstream_user_id=person.user_id)


def _is_known(person: Person) -> bool:
    """Also where somebody else has the name: a login gives the second of them another one."""
    same_name = Account.objects.filter(username=public_form(person.username))
    return (accounts_of(person) | same_name).exists()
