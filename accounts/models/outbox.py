"""What commands leave for the server, in a service of one process without Redis."""

from django.db import models


class OutboxCall(models.Model):
    """A function that the server is to call, and its arguments, sealed: they can hold an event with
    names and texts. See `accounts.outbox`."""

    function = models.CharField(max_length=100)
    arguments = models.BinaryField()
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)
