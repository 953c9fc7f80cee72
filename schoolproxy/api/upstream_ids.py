"""Upstream's ids in the paths of this service."""

from django.urls.converters import IntConverter


class UpstreamId(IntConverter):
    """A path converter for a number of at most 63 bits, without leading zeros: an id has one
    spelling. Any other path is 404."""

    regex = "[1-9][0-9]{0,18}"

    def to_python(self, value: str) -> int:
        number = super().to_python(value)
        if number >= 2**63:
            raise ValueError("more than 63 bits")
        return number
