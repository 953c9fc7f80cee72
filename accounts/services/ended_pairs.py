"""Cookie pairs that were ended stay ended, also when the store forgets them and upstream does
not."""

from datetime import timedelta

from django.utils import timezone

from accounts import session_cache
from accounts.limits import WEB_SESSION_KEPT_SECONDS
from accounts.models import EndedCookiePair


def remember_ended(*pair_hashes: str) -> None:
    """Remember that these cookie pairs were ended, for as long as upstream may accept them: they
    are refused also when the store has forgotten it."""
    until = timezone.now() + timedelta(seconds=WEB_SESSION_KEPT_SECONDS)
    rows = [EndedCookiePair(pk=pair_hash, until=until) for pair_hash in pair_hashes]
    EndedCookiePair.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["pair_hash"], update_fields=["until"]
    )


def was_ended(credential_hash: str) -> bool:
    """Whether this cookie pair was ended. An ended token is known by having no record."""
    return EndedCookiePair.objects.filter(pk=credential_hash).exists()


def begin_credentials(*credential_hashes: str) -> None:
    """Upstream has just issued these credentials: forget that they were ended before. In the
    transaction that saves them, so that whoever ends them afterwards has the last word."""
    EndedCookiePair.objects.filter(pk__in=credential_hashes).delete()
    session_cache.begin(*credential_hashes)


def end_unrecorded(credential_hash: str) -> None:
    """End the session of a credential without a record: of a cookie pair that we did not make, or
    of an account that was erased."""
    remember_ended(credential_hash)
    session_cache.end(credential_hash)
