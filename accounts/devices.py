"""A device label that people recognise and that is too coarse for tracking."""

_BROWSERS = (
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("Linux", "Linux"),
)


def device_label(user_agent: str) -> str:
    """A label such as `Firefox on Android`; empty for an unknown browser and system."""
    browser = next((label for mark, label in _BROWSERS if mark in user_agent), "")
    system = next((label for mark, label in _SYSTEMS if mark in user_agent), "")
    return " on ".join(filter(None, (browser, system)))
