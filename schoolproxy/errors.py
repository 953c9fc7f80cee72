"""What this app refuses by itself. Everything else comes from `accounts` or from upstream."""


class SchoolDataError(Exception):
    """Anything that this app refuses."""


class FeedUnknown(SchoolDataError):
    """No calendar feed has this address, or none any more."""
