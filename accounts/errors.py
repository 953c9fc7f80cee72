"""The errors of this app."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils import formats, timezone
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.limits import PICTURE_BYTES
from accounts.timestamps import milliseconds

# A sentence for a person; `gettext_lazy` makes one that has its language when it is sent.
Sentence = str | Promise


class AccountError(Exception):
    """The base class."""


class CrossOrigin(AccountError):
    """A browser sent an unsafe request, or opened a socket, on behalf of another website."""


class NotSignedIn(AccountError):
    """There is no session, or it is over."""


class SessionMismatch(NotSignedIn):
    """The cookies contradict the session record or upstream's answer."""


class OtherSession(NotSignedIn):
    """The request is meant for another login than the one whose credential came with it."""


class WrongPassword(AccountError):
    """A signed-in person gave a password that is not theirs. Not "not signed in": they are."""


class NothingToRefresh(AccountError):
    """No refresh token and no valid access token is left, or there never was one."""


class AccountSuspended(AccountError):
    """Staff have suspended this account: until when (None: without end) and why."""

    def __init__(self, *, until: datetime | None = None, reason: str = "") -> None:
        super().__init__()
        self.until = until
        self.reason = reason

    @property
    def details(self) -> dict[str, Any]:
        """What the error response has besides the code and the sentence."""
        until = None if self.until is None else milliseconds(self.until)
        return {"until": until, "reason": self.reason, "contact": settings.CONTACT}

    @property
    def sentence(self) -> str:
        """The sentences for the person, in the current language."""
        sentences = [gettext("This account is suspended.")]
        if self.until is not None:
            until = formats.date_format(timezone.localtime(self.until), "j F Y H:i")
            sentences = [gettext("This account is suspended until %(until)s.") % {"until": until}]
        if self.reason:
            reason = self.reason if self.reason.endswith((".", "!", "?")) else f"{self.reason}."
            sentences.append(gettext("Reason: %(reason)s") % {"reason": reason})
        if settings.CONTACT:
            contact = {"contact": settings.CONTACT}
            sentences.append(gettext("If you have questions, contact %(contact)s.") % contact)
        else:
            sentences.append(
                gettext("If you have questions, contact the people who run this service.")
            )
        return " ".join(sentences)


class InvalidAttempt(AccountError):
    """The state or code of a login attempt is unknown, used, expired or of another login."""


class SignInRefused(AccountError):
    """The school's system refused the code that its own page had given for an app."""


class MethodNotOffered(AccountError):
    """The school has no page on which people of this kind could sign in, or nobody knows it."""


class SignInAgain(AccountError):
    """What the caller wants to do needs a sign-in that is younger than this one."""


class NotFound(AccountError):
    """It does not exist, or the caller may not see it."""


class ChangedTooOften(AccountError):
    """What others could read before is kept for a report, and there is no room for more of it."""


class TooManyKept(AccountError):
    """There are as many of these as there may be: notes of an account, friends of a person."""


class SchoolUnknown(AccountError):
    """No school has this slug."""


class SessionUnknown(AccountError):
    """This account has no session with this id."""


class InvalidInput(AccountError):
    """Wrong fields. `fields` is {name: [sentence, ...]}."""

    def __init__(self, fields: Mapping[str, Sequence[Sentence]]) -> None:
        super().__init__()
        self.fields = fields


class ChildNotAllowed(InvalidInput):
    """Somebody who is no guardian names a child."""

    def __init__(self) -> None:
        super().__init__({"child": [_("Only guardians can choose a child. Leave it out.")]})


class ChildRequired(InvalidInput):
    """A guardian has to say which child. `children` is [{"id", "name"}, ...]."""

    def __init__(self, children: Sequence[Mapping[str, str]]) -> None:
        none = _("The school has not connected any child to your account.")
        sentence = _("Choose one of your children first.") if children else none
        super().__init__({"child": [sentence]})
        self.sentence = str(sentence)
        self.details = {"children": list(children)}


class SignInNeeded(AccountError):
    """The cookies of a guardian show another child, and no record has a token to ask for this one
    with."""


class ChildUnknown(AccountError):
    """This guardian has no such child, or the child does not go to that school."""


class DisplayNameRefused(InvalidInput):
    """By this name, the person would pass for somebody who works at the school."""

    def __init__(self) -> None:
        sentence = _("People could think that you work at the school. Choose another name.")
        super().__init__({"displayName": [sentence]})


class PictureUnreadable(InvalidInput):
    """The file is not a picture of an accepted format."""

    def __init__(self) -> None:
        super().__init__({"image": [_("Send a picture: JPEG, PNG, WebP, GIF or HEIC.")]})


class PictureBroken(PictureUnreadable):
    """The file could not be decoded. Counts as an upload, because decoding was tried."""


class PictureTooLarge(AccountError):
    """More bytes or more pixels than a picture may have."""

    def __init__(self, *, kind: str = "", megapixels: int = 0, most: int = 0) -> None:
        """`kind` is the format whose limit in megapixels this is; "" if the limit is in bytes."""
        super().__init__()
        if kind:
            sentence = _(
                "This picture has %(megapixels)d megapixels. One in %(kind)s can have at most "
                "%(most)d. Make it smaller and send it again."
            )
            self.sentence = sentence % {"megapixels": megapixels, "kind": kind, "most": most}
        else:
            self.sentence = _("A picture can have at most %(most)d MB.") % {
                "most": PICTURE_BYTES // 1024**2
            }


class PictureBusy(AccountError):
    """This process is already decoding as many pictures as it may."""


class PictureUnknown(AccountError):
    """No picture has this name, or its owner is suspended."""
