"""GET /api/inbox and /api/inbox/{id}: the school's own messages, read only."""

from typing import Any

from rest_framework import serializers

from accounts.requests import SignedInRequest
from schoolproxy.api.attachments import EXAMPLE as ATTACHMENT
from schoolproxy.api.attachments import AttachmentSerializer, FileView, describe_file
from schoolproxy.api.news import WriterSerializer
from schoolproxy.api.school_data import (
    SchoolDataSerializer,
    SchoolDataView,
    describe,
    number_in_path,
)
from schoolproxy.cache import CachedAnswer, Question
from schoolproxy.cursors import CURSOR
from schoolproxy.errors import SchoolItemUnknown, SwitchedOff
from schoolproxy.services.downloads import Download
from schoolproxy.services.inbox import list_of_messages, message_file, one_message

LISTED = {
    "id": "88310",
    "subject": "Sv: Utflykt till Ekängen",
    "preview": "Hej, ta med matsäck och oömma kl...",
    "from": {"name": "Torbjörn Ekvik", "isStaff": True},
    "date": "2026-03-10T10:54",
    "unread": True,
    "hasAttachments": True,
}
MESSAGE = LISTED | {
    "html": "Hej,<br>ta med matsäck",
    "text": "Hej,\nta med matsäck",
    "to": ["Elsa Nordvall"],
    "hiddenRecipients": 22,
    "attachments": [
        ATTACHMENT | {"url": "https://school.example/api/inbox/88310/attachments/512070"}
    ],
}


class ListedMessageSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    subject = serializers.CharField(allow_blank=True)
    preview = serializers.CharField(allow_blank=True)
    date = serializers.CharField(
        allow_null=True, help_text="YYYY-MM-DD or YYYY-MM-DDTHH:MM, Europe/Stockholm."
    )
    unread = serializers.BooleanField(allow_null=True, help_text="At the school.")
    hasAttachments = serializers.BooleanField()

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        # `from` is a word of Python.
        return super().get_fields() | {"from": WriterSerializer()}


class MessageTextSerializer(ListedMessageSerializer):
    html = serializers.CharField(help_text="Sanitised.", allow_blank=True)
    text = serializers.CharField(help_text="The same as plain text.", allow_blank=True)
    to = serializers.ListField(
        child=serializers.CharField(), help_text="One's own name and those of staff."
    )
    hiddenRecipients = serializers.IntegerField(help_text="How many others.")
    attachments = AttachmentSerializer(many=True)


class InboxSerializer(SchoolDataSerializer):
    messages = ListedMessageSerializer(many=True)
    total = serializers.IntegerField(allow_null=True)
    next = serializers.CharField(allow_null=True, help_text="The cursor of the next page.")


class InboxMessageSerializer(SchoolDataSerializer):
    message = MessageTextSerializer()


@describe(
    "inbox",
    InboxSerializer,
    {"messages": [LISTED], "total": 47, "next": "15-88310"},
    summary="The messages of the school",
    parameters=[CURSOR],
)
class InboxView(SchoolDataView):
    """The school's own messages, as many as it puts on a page. Not for teachers."""

    raises = (*SchoolDataView.raises, SwitchedOff)

    def answer(self, request: SignedInRequest, question: Question) -> CachedAnswer:
        return list_of_messages(question, request.query_params.get("cursor", ""))


@describe(
    "inbox-message",
    InboxMessageSerializer,
    {"message": MESSAGE},
    summary="One message of the school",
    parameters=[number_in_path("number")],
)
class InboxMessageView(SchoolDataView):
    """One message in full. It stays unread at the school. Not for teachers."""

    raises = (*SchoolDataView.raises, SchoolItemUnknown, SwitchedOff)

    def answer(self, request: SignedInRequest, question: Question) -> CachedAnswer:
        return one_message(question, self.kwargs["number"])


@describe_file("inbox-file", "A file of a message", "number", "file")
class InboxFileView(FileView):
    """A file of a message, as it arrives from the school. Nothing of it is kept."""

    def open(self, question: Question) -> Download:
        return message_file(question, self.kwargs["number"], self.kwargs["file"])
