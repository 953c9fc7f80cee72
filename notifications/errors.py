"""The errors of this app. `wrapper_project/error_table.py` has their statuses."""


class NotThere(Exception):
    """It does not exist, or it is somebody else's."""


class TooManyKept(Exception):
    """The account has as many push subscriptions as it may have."""


class PushOff(Exception):
    """The operator has set no key for pushes."""


class PushEndpointRefused(Exception):
    """We send no pushes to this address."""
