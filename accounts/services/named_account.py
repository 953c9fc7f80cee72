"""The account that an operator names on the command line."""

from accounts.models import Account


def account_by_name(username: str) -> Account | None:
    """The account with this public name, in any case; None: there is none."""
    return Account.objects.filter(username=username.strip().lower()).first()
