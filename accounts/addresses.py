"""Parsing and shortening of IP addresses."""

import ipaddress

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def parsed_address(text: str) -> Address | None:
    """The address that `text` holds, None if it holds none. An IPv4-mapped IPv6 address is IPv4, so
    that a client counts as one."""
    try:
        address = ipaddress.ip_address(text.strip().strip("[]").partition("%")[0])
    except ValueError:
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return mapped or address


def network_of(address: str) -> str:
    """What counts as one client: an IPv4 address, or the /64 of an IPv6 one."""
    parsed = parsed_address(address)
    if parsed is None:
        return address[:45]
    if parsed.version == 4:
        return str(parsed)
    return str(ipaddress.ip_network((parsed, 64), strict=False))


def shortened(address: str) -> str:
    """The network of an address, which does not identify a person: /24, or /48 for IPv6."""
    if ":" not in address:
        return address.rpartition(".")[0] + ".0" if address.count(".") == 3 else ""
    parsed = parsed_address(address)
    if isinstance(parsed, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((parsed, 48), strict=False).network_address)
    return shortened(str(parsed)) if parsed else ""
