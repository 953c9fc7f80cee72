"""Messages in our addresses."""


class MessageId:
    """A path converter for the public ids of messages; anything else is no route."""

    regex = "[0-9a-f]{32}-[1-9][0-9]{0,17}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value
