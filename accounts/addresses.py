"""Network addresses in one form, so that one caller never counts as two."""

import ipaddress

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def parsed_address(text: str) -> Address | None:
    """The address in one form, IPv4 within IPv6 as IPv4; None for nonsense."""
    try:
        address = ipaddress.ip_address(text.strip().strip("[]").partition("%")[0])
    except ValueError:
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return mapped or address
