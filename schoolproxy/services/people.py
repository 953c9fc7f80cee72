"""The people of a person's classes."""

from accounts.callers import Caller
from accounts.services.identity import ask_upstream
from schoolproxy.cache import Answer, Asked, Fields, answer_through_cache, personal
from upstream.calls.people import fetch_class
from upstream.shared_client import client

COPY_NAME = "class"


def read_class(caller: Caller, *, asked: Asked) -> Answer:
    """The pupils of every class that the caller is shown; contact details null where absent.

    Raises: NotSignedIn, NotForThisRole, TooManyRequests, upstream's errors.
    """

    def fetch() -> Fields:
        pupils = ask_upstream(
            caller, lambda web: fetch_class(client(), school=caller.school, web=web)
        )
        return {
            "students": [
                {
                    "name": pupil.name,
                    "firstName": pupil.first_name,
                    "lastName": pupil.last_name,
                    "class": pupil.class_name,
                    "email": pupil.email or None,
                    "phone": pupil.phone or None,
                    "address": pupil.address or None,
                }
                for pupil in pupils
            ]
        }

    shelf = personal(caller.hint)
    return answer_through_cache(caller, COPY_NAME, shelf=shelf, asked=asked, fetch=fetch)
