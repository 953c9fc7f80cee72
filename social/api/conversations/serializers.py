"""The JSON of conversations in requests and answers."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from accounts.api.base import SuccessSerializer, success
from accounts.api.fields import (
    LineField,
    NameField,
    TrueOrFalseField,
    UserTypeField,
    WholeNumberField,
)
from accounts.api.variants import Variant, VariantsSerializer, require_fields
from social.api.invites import InviteSerializer
from social.api.messages.serializers import MessageSerializer
from social.api.parameters import UsernameField
from social.limits import MAX_KEY_CHECK, MAX_MEMBERS
from social.models import Conversation

EXAMPLE = {
    "id": "5f0c2f3a9b1d4e6f8a7b6c5d4e3f2a1b",
    "type": "group",
    "participants": ["elsa.nordvall", "bo.ek"],
    "participantNames": {"elsa.nordvall": "Elsa Nordvall", "bo.ek": "Bosse"},
    "participantTypes": {"elsa.nordvall": "student", "bo.ek": "student"},
    "participantRealNames": {"bo.ek": "Bo Ek"},
    "participantPfpUrls": {"elsa.nordvall": "", "bo.ek": ""},
    "groupName": "Grupparbete",
    "groupDescription": "Bergarter, till fredag",
    "adminUsername": "elsa.nordvall",
    "encrypted": False,
    "encryption": "none",
    "keyCheck": None,
    "epoch": None,
    "lastMessage": "Jag tar kalkstenen.",
    "lastSenderUsername": "bo.ek",
    "lastAt": 1795257000000,
    "lastSeq": 12,
    "revision": 17,
    "infoRevision": 3,
    "unreadCount": 1,
    "lastReadSeq": 11,
    "joinedSeq": 0,
    "createdAt": 1795170600000,
}
GROUP_EXAMPLE = {
    "type": "group",
    "groupName": "Grupparbete",
    "groupDescription": "Bergarter, till fredag",
    "members": ["bo.ek", "alva.lind"],
}


class ConversationSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    type = serializers.ChoiceField([Conversation.DM, Conversation.GROUP])
    participants = serializers.ListField(
        child=serializers.CharField(), help_text="The longest-standing member first."
    )
    participantNames = serializers.DictField(child=serializers.CharField(allow_blank=True))
    participantTypes = serializers.DictField(child=UserTypeField())
    participantRealNames = serializers.DictField(
        child=serializers.CharField(),
        help_text="The name at school of those whose name in `participantNames` reads differently.",
    )
    participantPfpUrls = serializers.DictField(child=serializers.CharField(allow_blank=True))
    groupName = serializers.CharField(allow_null=True, help_text="Null in a direct conversation.")
    groupDescription = serializers.CharField(allow_null=True, allow_blank=True)
    adminUsername = serializers.CharField(allow_null=True)
    encrypted = serializers.BooleanField()
    encryption = serializers.ChoiceField(
        [Conversation.NONE, Conversation.AES_GCM, Conversation.MLS]
    )
    keyCheck = serializers.CharField(
        allow_null=True, help_text="What its founder's client gave; tells a wrong key."
    )
    epoch = serializers.IntegerField(allow_null=True)
    lastMessage = serializers.CharField(
        allow_blank=True, help_text="Its first 120 characters, or a label."
    )
    lastSenderUsername = serializers.CharField(allow_null=True)
    lastAt = serializers.IntegerField(help_text="Unix milliseconds.")
    lastSeq = serializers.IntegerField()
    revision = serializers.IntegerField(help_text="The number of its last change of any kind.")
    infoRevision = serializers.IntegerField(
        help_text="The revision of the last change of its name or members."
    )
    unreadCount = serializers.IntegerField()
    lastReadSeq = serializers.IntegerField()
    joinedSeq = serializers.IntegerField(help_text="You can read the messages after this number.")
    createdAt = serializers.IntegerField(help_text="Unix milliseconds.")


ConversationAnswer = success("ConversationAnswer", conversation=ConversationSerializer())


class ConversationListSerializer(SuccessSerializer):
    conversations = ConversationSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="The cursor of the next page.")
    unreadTotal = serializers.IntegerField(help_text="In all conversations.")


class NewConversationSerializer(serializers.Serializer[Any]):
    """`targetUsername` for a direct conversation; `type: "group"` with name and members for a
    group."""

    needs_body = True
    type = serializers.ChoiceField([Conversation.DM, Conversation.GROUP], required=False)
    targetUsername = UsernameField(source="target_username", required=False)
    groupName = NameField(source="name", max_length=80, required=False)
    groupDescription = LineField(
        source="description", max_length=200, required=False, allow_blank=True
    )
    members = serializers.ListField(
        child=UsernameField(),
        source="usernames",
        required=False,
        help_text=f"1 to {MAX_MEMBERS - 1} others; duplicates and yourself are ignored.",
    )
    encrypted = TrueOrFalseField(
        required=False, help_text="Without `encryption`, true means aes-gcm."
    )
    encryption = serializers.ChoiceField([Conversation.NONE, Conversation.AES_GCM], required=False)
    keyCheck = LineField(
        source="key_check",
        max_length=MAX_KEY_CHECK,
        required=False,
        help_text="Of an encrypted group: opaque, never changed afterwards.",
    )

    def validate(self, fields: dict[str, Any]) -> dict[str, Any]:
        """The arguments of `start_conversation`."""
        group = fields.get("type") == Conversation.GROUP
        require_fields(self, fields, ["groupName", "members"] if group else ["targetUsername"])
        encryption = encryption_of(fields)
        if encryption != Conversation.NONE and not group:
            raise serializers.ValidationError({"encrypted": [_("Only groups can be encrypted.")]})
        if "key_check" in fields and encryption == Conversation.NONE:
            raise serializers.ValidationError({"keyCheck": [_("Only encrypted groups have one.")]})
        if not group:
            return {"target_username": fields["target_username"]}
        names = {"name", "description", "usernames", "key_check"}
        used = {name: fields[name] for name in fields.keys() & names}
        return {"group": True, "encryption": encryption} | used


def encryption_of(fields: dict[str, Any]) -> str:
    """The encryption, from the two fields that can name it. Raises: ValidationError."""
    flag: bool | None = fields.get("encrypted")
    default = Conversation.AES_GCM if flag else Conversation.NONE
    encryption: str = fields.get("encryption", default)
    if flag is not None and flag != (encryption != Conversation.NONE):
        raise serializers.ValidationError({"encryption": [_("It contradicts `encrypted`.")]})
    return encryption


class ConversationReadSerializer(SuccessSerializer):
    conversation = ConversationSerializer()
    messages = MessageSerializer(many=True, help_text="Oldest first.")


class ConversationChangedSerializer(SuccessSerializer):
    conversation = ConversationSerializer(
        allow_null=True, help_text="Null: you are no longer a member."
    )
    invite = InviteSerializer(
        required=False,
        allow_null=True,
        help_text="With `add_member`: null when the person joined at once.",
    )


class ConversationChangeSerializer(VariantsSerializer):
    variant_field = "action"
    variants = {  # noqa: RUF012
        "rename": Variant((), ("groupName", "groupDescription")),
        "add_member": Variant(("targetUsername",)),
        "remove_member": Variant(("targetUsername",)),
        "leave": Variant(),
        "transfer_admin": Variant(("targetUsername",)),
        "mark_read": Variant((), ("seq",)),
    }
    action = serializers.ChoiceField(list(variants))
    groupName = NameField(
        source="name", max_length=80, required=False, help_text="One of the two is required."
    )
    groupDescription = LineField(
        source="description", max_length=200, required=False, allow_blank=True
    )
    targetUsername = UsernameField(source="target_username", required=False)
    seq = WholeNumberField(
        min_value=0, required=False, help_text="Up to this message; without it, all messages."
    )

    def validate(self, fields: dict[str, Any]) -> dict[str, Any]:
        fields = super().validate(fields)
        if fields["action"] == "rename" and "description" not in fields:
            require_fields(self, fields, ["groupName"])
        return fields
