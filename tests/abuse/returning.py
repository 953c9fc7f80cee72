"""Erasing an account and signing in again, as somebody does who wants to be forgotten by limits."""

from typing import Any

from accounts.models import Account
from accounts.services.erasure import erase_account
from tests.social.cast import Person


def erase(person: Person) -> Any:
    """The response to erasing one's own account."""
    password = f"{person.cookies['username'].split('.')[0]}-demo"
    return person.delete("/api/account", {"password": password})


def returned(person: Person, login: str, school: str = "bjorkdalen") -> Person:
    """The person with a new account: an operator has erased the one before, which no limit counts,
    and they have signed in again."""
    erase_account(person.account_id)
    assert not Account.objects.filter(pk=person.account_id).exists()
    return Person(login, school)
