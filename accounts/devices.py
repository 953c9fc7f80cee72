"""A coarse label for the device of a login: enough to recognise one's own, useless to track."""

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
    """Such as `Firefox on Android`; empty when nothing is recognised."""
    browser = next((label for mark, label in _BROWSERS if mark in user_agent), "")
    system = next((label for mark, label in _SYSTEMS if mark in user_agent), "")
    return " on ".join(filter(None, (browser, system)))
