"""The errors of this app. The others come from `accounts` or `upstream`."""


class SchoolDataError(Exception):
    """The base class of this app's errors."""


class FeedUnknown(SchoolDataError):
    """No calendar feed has this address, or no longer."""
