"""The errors of this app. `wrapper_project/error_table.py` has their statuses."""


class PushOff(Exception):
    """The operator has set no key for pushes."""


class PushEndpointRefused(Exception):
    """We send no pushes to this address."""
