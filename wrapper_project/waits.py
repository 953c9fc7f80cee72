"""How long to wait, in words."""

import math
from typing import Final

from django.utils.translation import gettext_lazy as _

from accounts.errors import Sentence

MINUTE: Final = 60
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR

# Up to so many seconds, what to say, and the unit in which it counts.
_SENTENCES: Final[tuple[tuple[float, Sentence, int], ...]] = (
    (10, _("Try again in a moment."), 1),
    (MINUTE / 2, _("Try again in half a minute."), 1),
    (MINUTE, _("Try again in a minute."), 1),
    (59 * MINUTE, _("Try again in %(count)d minutes."), MINUTE),
    (HOUR, _("Try again in an hour."), 1),
    (23 * HOUR, _("Try again in %(count)d hours."), HOUR),
    (DAY, _("Try again tomorrow at this time."), 1),
    (math.inf, _("Try again in %(count)d days."), DAY),
)


def sentence_of_wait(seconds: int) -> str:
    """When to try again, in the current language. Minutes, hours and days are rounded up."""
    sentence, unit = next((text, unit) for most, text, unit in _SENTENCES if seconds <= most)
    return str(sentence) % {"count": math.ceil(seconds / unit)}
