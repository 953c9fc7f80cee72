"""A device label that people recognise and that is too coarse for tracking."""

from django.utils.translation import gettext as _

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
_BETWEEN = " on "


def device_label(user_agent: str) -> str:
    """A label such as `Firefox on Android`; empty for an unknown browser and system."""
    browser = next((label for mark, label in _BROWSERS if mark in user_agent), "")
    system = next((label for mark, label in _SYSTEMS if mark in user_agent), "")
    return _BETWEEN.join(filter(None, (browser, system)))


def device_name(label: str) -> str:
    """The label in the language of the reader, `Firefox på Android`. A name that somebody has given
    a device stays as it is."""
    browser, _on, system = label.partition(_BETWEEN)
    if browser not in dict(_BROWSERS).values() or system not in dict(_SYSTEMS).values():
        return label
    return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
