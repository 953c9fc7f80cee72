"""The errors of this app."""


class AccountError(Exception):
    """The base class."""


class NotSignedIn(AccountError):
    """There is no session, or it is over."""


class SessionMismatch(NotSignedIn):
    """The cookies contradict the session record or upstream's answer."""


class NothingToRefresh(AccountError):
    """No refresh token and no valid access token is left."""


class AccountSuspended(AccountError):
    """Staff have suspended this account."""


class TooManyRequests(AccountError):
    """A limit is reached. `retry_after` is in whole seconds, at least 1."""

    def __init__(self, retry_after: float) -> None:
        super().__init__()
        self.retry_after = max(1, round(retry_after))


class InvalidAttempt(AccountError):
    """The state or code of a login attempt is unknown, used, expired or of another login."""


class SchoolUnknown(AccountError):
    """No school has this slug."""


class SessionUnknown(AccountError):
    """This account has no session with this id."""


class InvalidInput(AccountError):
    """Wrong fields. `fields` is {name: [sentence, ...]}."""

    def __init__(self, fields: dict[str, list[str]]) -> None:
        super().__init__()
        self.fields = fields


class PictureUnreadable(InvalidInput):
    """The file is not a picture of an accepted format."""

    def __init__(self) -> None:
        super().__init__({"image": ["Send a picture: JPEG, PNG, WebP or GIF."]})


class PictureBroken(PictureUnreadable):
    """The file could not be decoded. Counts as an upload, because decoding was tried."""


class PictureTooLarge(AccountError):
    """More bytes or more pixels than a picture may have."""


class PictureBusy(AccountError):
    """This process is already decoding as many pictures as it may."""


class PictureUnknown(AccountError):
    """No picture has this name, or its owner is suspended."""


class StoreUnavailable(AccountError):
    """The store of login attempts, locks and cached sessions cannot be reached."""
