"""Upstream's ids in the paths of this service."""


class UpstreamId:
    """A path converter for a number of at most 63 bits. Any other path is 404."""

    regex = "[0-9]{1,19}"

    def to_python(self, value: str) -> int:
        number = int(value)
        if number >= 2**63:
            raise ValueError("more than 63 bits")
        return number

    def to_url(self, value: int) -> str:
        return str(value)
