"""Cookie pairs that were ended, as keyed hashes."""

from django.db import models


class EndedCookiePair(models.Model):
    """A pair whose session was ended here, or that a refresh has replaced: its record accepts that
    one for a minute all the same. Upstream may accept a pair for longer, and without a record it
    would be taken for the pair of a client that signed in at upstream itself. `until` is when
    upstream has forgotten it, too."""

    pair_hash = models.CharField(primary_key=True, max_length=64)
    until = models.DateTimeField(db_index=True)
