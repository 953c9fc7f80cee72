"""Numbers of upstream's in our addresses."""


class UpstreamId:
    """A path converter: digits only, within 63 bits; anything else is an address of nothing."""

    regex = "[0-9]{1,19}"

    def to_python(self, value: str) -> int:
        """Raises: ValueError, which Django takes for "no such address"."""
        number = int(value)
        if number >= 2**63:
            raise ValueError("beyond what upstream counts with")
        return number

    def to_url(self, value: int) -> str:
        return str(value)
