"""The pupils of a person's classes."""

from schoolproxy.reads import Fields, SchoolRead
from upstream.calls.people import fetch_class
from upstream.records import ProvenSession
from upstream.shared_client import client


def class_read() -> SchoolRead:
    """The pupils of every class that upstream shows the caller. Missing details are null."""

    def fetch(web: ProvenSession) -> Fields:
        return {
            "students": [
                {
                    "name": pupil.name,
                    "firstName": pupil.first_name,
                    "lastName": pupil.last_name,
                    "class": pupil.class_name,
                    "email": pupil.email,
                    "phone": pupil.phone,
                    "address": pupil.address,
                }
                for pupil in fetch_class(client(), web=web)
            ]
        }

    return SchoolRead("class", fetch)
