"""What a calendar says of itself, as an all-day entry, when it could not be brought up to date.

Calendar programs show no error of a feed to anyone; an entry is seen.
"""

from datetime import datetime

from schoolproxy.models.feeds import SIGNED_OUT, UPSTREAM_AWAY
from schoolproxy.services.calendar import Entry
from schoolproxy.weeks import STOCKHOLM

_SENTENCES = {
    SIGNED_OUT: (
        "Schemat kunde inte uppdateras; logga in igen",
        "The schedule could not be updated. Please sign in to the service again.",
    ),
    UPSTREAM_AWAY: (
        "Schemat kunde inte uppdateras; skolans system svarar inte",
        "The schedule could not be updated: the school's system does not answer. "
        "It will be tried again.",
    ),
}


def notice(trouble: str, *, now: datetime, since: datetime | None) -> Entry:
    """Today's entry about a trouble; `since` is when the lessons were read, None without any."""
    swedish, english = _SENTENCES[trouble]
    today = now.astimezone(STOCKHOLM).date()
    lines = [english]
    if since is not None:
        when = f"{since.astimezone(STOCKHOLM):%Y-%m-%d %H:%M}"
        lines.append(f"Senast uppdaterat / last updated: {when}")
    return Entry(f"{trouble}-{today}@notice", swedish, today, text="\n".join(lines))
