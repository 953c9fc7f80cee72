"""What a caller can do wrong, or lack, before anything else happens.

The tree::

    AccountError
    |-- NotSignedIn             no session, or one that is over
    |   `-- SessionMismatch the cookies say something else than the record or upstream
    |-- NothingToRefresh        neither a refresh token nor a live token is left
    |-- AccountSuspended
    |-- TooManyRequests         over a limit; says when to come back
    |-- InvalidAttempt          state or code unknown, used, late or foreign
    |-- SchoolUnknown
    |-- SessionUnknown          no such session of this account
    |-- InvalidInput            a field of the wrong shape; says which
    |   `-- PictureUnreadable   no picture of a kind that we take
    |       `-- PictureBroken   its beginning is one, the rest is not
    |-- PictureTooLarge         too many bytes or pixels
    |-- PictureBusy             others have theirs drawn; later there is room
    |-- PictureUnknown          nothing under this address, or nothing to show
    `-- StoreUnavailable        the store of attempts and sessions is away
"""


class AccountError(Exception):
    """Anything that this app refuses."""


class NotSignedIn(AccountError):
    """There is no session, or it is over."""


class SessionMismatch(NotSignedIn):
    """The cookies contradict the session record or upstream's answer."""


class NothingToRefresh(AccountError):
    """Neither a refresh token nor a live access token is left."""


class AccountSuspended(AccountError):
    """Staff have suspended this account."""


class TooManyRequests(AccountError):
    """A limit is reached. `retry_after` is whole seconds, at least 1."""

    def __init__(self, retry_after: float) -> None:
        super().__init__()
        self.retry_after = max(1, round(retry_after))


class InvalidAttempt(AccountError):
    """The state or code of a login attempt is unknown, used, late or foreign."""


class SchoolUnknown(AccountError):
    """No school has this slug."""


class SessionUnknown(AccountError):
    """This account has no session with this id."""


class InvalidInput(AccountError):
    """Fields of the wrong shape. `fields` is {name: [sentence, ...]}."""

    def __init__(self, fields: dict[str, list[str]]) -> None:
        super().__init__()
        self.fields = fields


class PictureUnreadable(InvalidInput):
    """The file is no picture, or of a kind that we do not take."""

    def __init__(self) -> None:
        super().__init__({"image": ["Give a picture: JPEG, PNG, WebP or GIF."]})


class PictureBroken(PictureUnreadable):
    """It began as a picture, and cost the work of finding out that it is none."""


class PictureTooLarge(AccountError):
    """More bytes or more pixels than a picture may have."""


class PictureBusy(AccountError):
    """As many pictures as this process bears are worked on."""


class PictureUnknown(AccountError):
    """No picture has this name, or its owner's pictures are not shown."""


class StoreUnavailable(AccountError):
    """The store that holds attempts, locks and cached sessions is away."""
