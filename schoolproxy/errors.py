"""The errors of this app. The others come from `accounts` or `upstream`."""


class FeedUnknown(Exception):
    """No calendar feed has this address, or no longer."""
