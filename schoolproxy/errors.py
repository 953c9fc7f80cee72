"""The errors of this app. The others come from `accounts` or `upstream`."""


class FeedUnknown(Exception):
    """No calendar feed has this address, or no longer."""


class SwitchedOff(Exception):
    """The school has switched this off for everybody."""


class SchoolItemUnknown(Exception):
    """The school shows this person no such article, message or file."""
