"""Creates the demo's data: friends, conversations, notes and countdowns.

It is created through the services, and only once: starting the demo again keeps the data.
"""

import base64
import hashlib
import os
from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Any
from uuid import UUID

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.db import transaction
from django.utils import timezone

from accounts.callers import Caller
from accounts.services.people import person_named
from notes.richtext.validate import read_content
from notes.services.countdowns import add_countdown
from notes.services.layouts import save_layout
from notes.services.notes import add_note, list_notes, render_note
from notes.services.share_links import share_note
from social.services.conversations.direct import open_dm
from social.services.conversations.groups import create_group
from social.services.conversations.read import list_conversations
from social.services.friendships import answer_request, request_friendship
from social.services.messages.change import pin_message, react
from social.services.messages.drafts import Draft
from social.services.messages.send import send_message

# Not a secret: the demo shows what messages of an encrypted group look like.
GROUP_PASSPHRASE = "gröna elefanter"  # noqa: S105
OWNER = "elsa.nordvall"
Callers = Mapping[str, Caller]  # by public username
Json = dict[str, Any]


def _paragraph(*words: Json) -> Json:
    return {"type": "paragraph", "content": list(words)}


def _words(text: str, *marks: str) -> Json:
    return {"type": "text", "text": text} | (
        {"marks": [{"type": mark} for mark in marks]} if marks else {}
    )


def _task(text: str, *, done: bool) -> Json:
    content = [_paragraph(_words(text))]
    return {"type": "taskItem", "attrs": {"checked": done}, "content": content}


PLAN: Json = {
    "type": "doc",
    "content": [
        {"type": "heading", "attrs": {"level": 2}, "content": [_words("Till provet")]},
        _paragraph(_words("Läs om "), _words("krafter", "bold"), _words(" och räkna sid 84–91.")),
        {
            "type": "taskList",
            "content": [_task("Newtons lagar", done=True), _task("Öva på gamla prov", done=False)],
        },
    ],
}


def create_demo_data(callers: Callers) -> bool:
    """Create everything in one transaction. Returns False if there is data already."""
    for caller in callers.values():
        page = list_conversations(account_id=caller.account_id, limit=1)
        if page["conversations"] or list_notes(caller.account_id, limit=1)[0]:
            return False
    with transaction.atomic():
        _friends(callers)
        _notes(callers)
        _in_private(callers)
        _in_a_group(callers)
        _in_an_encrypted_group(callers)
        _dashboard(callers[OWNER])
    return True


def shared_note_url() -> str:
    """The URL of the shared note (a path without PUBLIC_URL), or "" if there is none."""
    owner = person_named(OWNER)
    notes = list_notes(owner.account_id, limit=50)[0] if owner else []
    urls = [render_note(note)["shareUrl"] for note in notes]
    return next(filter(None, urls), "")


def _friends(callers: Callers) -> None:
    for sender, other in (
        (OWNER, "bo.ek"), (OWNER, "ömer.sjölin"), (OWNER, "alva.lind"), ("zoe.åkerman", OWNER),
        ("bo.ek", "ömer.sjölin"), ("bo.ek", "zoe.åkerman"), ("nils.bergqvist", "zoe.åkerman"),
    ):  # fmt: skip
        request_friendship(callers[sender], username=other)
        answer_request(callers[other], username=sender, accept=True)
    # An open request.
    request_friendship(callers["alva.lind@nyvang"], username=OWNER)


def _in_private(callers: Callers) -> None:
    elsa, bo = callers[OWNER], callers["bo.ek"]
    dm, _ = open_dm(account_id=bo.account_id, target_username=elsa.username)
    asked = _send(bo, dm, "Hej! Vad blir det för lunch på torsdag? 🍝")
    _send(elsa, dm, "Pannkakor, står det i menyn.", reply_to=asked["id"])
    notes = list_notes(elsa.account_id, limit=50)[0]
    plan = next(note for note in notes if note.status == "published")
    card = {"type": "note", "noteId": plan.pk.hex}
    answer = _send(elsa, dm, "Och så har jag en plugglista till provet:", card=card)
    _react(bo, dm, answer, "🎉")
    _send(bo, dm, "Tack! Ses i fysiksalen.")
    dm, _ = open_dm(account_id=elsa.account_id, target_username="zoe.åkerman")
    _send(elsa, dm, "Hur är det på Nyvång?")
    _send(callers["zoe.åkerman"], dm, "Bra! Vi har studiedag på fredag 😎")


def _in_a_group(callers: Callers) -> None:
    elsa, bo, omer = callers[OWNER], callers["bo.ek"], callers["ömer.sjölin"]
    group = create_group(
        account_id=elsa.account_id,
        name="Grupparbete i fysik",
        description="Broar av spagetti",
        # Their teacher is not a friend, and gets an invite.
        usernames=["bo.ek", "ömer.sjölin", "alva.lind", "torbjörn.ekvik"],
        encryption="none",
    )
    plan = _send(elsa, group, "Vi träffas i biblioteket på tisdag kl. 15.")
    pin_message(
        elsa.account_id,
        conversation_id=UUID(group["id"]),
        message_id=plan["id"],
        pinned=True,
    )
    _react(omer, group, plan, "👍🏽")
    _react(callers["alva.lind"], group, plan, "👍🏽")
    _send(omer, group, "Jag tar med vågen.", reply_to=plan["id"])
    _send(bo, group, "Och jag spagettin!")


def _in_an_encrypted_group(callers: Callers) -> None:
    elsa, bo, zoe = callers[OWNER], callers["bo.ek"], callers["zoe.åkerman"]
    group = create_group(
        account_id=elsa.account_id,
        name="Hemliga klubben",
        description="",
        usernames=["bo.ek", "zoe.åkerman"],
        encryption="aes-gcm",
    )
    key = group_key(group["id"])
    _send(elsa, group, encrypted("Det här kan servern inte läsa.", key))
    _send(zoe, group, encrypted("Inte ens den som sköter den?", key))
    _send(bo, group, encrypted("Inte ens den.", key))


def group_key(conversation: str) -> bytes:
    """The key that the web app makes of the passphrase, for the conversation with this id."""
    passphrase = GROUP_PASSPHRASE.encode()
    return hashlib.pbkdf2_hmac("sha256", passphrase, conversation.encode(), 310_000)


def encrypted(text: str, key: bytes) -> str:
    """The content of an `aes-gcm` message: base64 of IV, ciphertext and tag."""
    iv = os.urandom(12)
    return base64.b64encode(iv + AESGCM(key).encrypt(iv, text.encode(), None)).decode()


def _notes(callers: Callers) -> None:
    elsa, bo = callers[OWNER].account_id, callers["bo.ek"].account_id
    plan = _note(elsa, "Plugglista", PLAN, "published")
    share_note(account_id=elsa, note_id=plan)
    _note(elsa, "Att fråga om", "Varför är himlen blå?\nOch när är proven?", "draft")
    _note(bo, "Recept", "Spagetti, lim, tålamod.", "draft")


def _dashboard(elsa: Caller) -> None:
    today = timezone.localdate()
    for title, category, theme, emoji, days in (
        ("Prov i fysik", "exam", "sky", "📐", 12),
        ("Bos födelsedag", "birthday", "rose", "🎂", 26),
        ("Lov", "holiday", "emerald", "🏝️", 40),
    ):
        moment = timezone.make_aware(datetime.combine(today + timedelta(days=days), time()))
        fields = {"title": title, "category": category, "theme": theme, "emoji": emoji}
        add_countdown(account_id=elsa.account_id, fields=fields | {"target_at": moment})
    widgets = [
        {"instanceId": f"{widget}-1", "widgetId": widget, "size": size}
        for widget, size in (("schedule", "2x2"), ("countdown", "1x1"), ("messages", "2x1"))
    ]
    save_layout(account_id=elsa.account_id, widgets=widgets)


def _send(
    caller: Caller,
    conversation: Json,
    text: str,
    *,
    reply_to: str | None = None,
    card: Json | None = None,
) -> Json:
    draft = Draft(content=text, reply_to=reply_to, share_card=card)
    message, _ = send_message(caller, conversation_id=UUID(conversation["id"]), draft=draft)
    return message


def _react(caller: Caller, conversation: Json, message: Json, emoji: str) -> None:
    react(
        caller.account_id,
        conversation_id=UUID(conversation["id"]),
        message_id=message["id"],
        emoji=emoji,
        action="add_reaction",
    )


def _note(account_id: int, title: str, content: str | Json, status: str) -> UUID:
    fields = {"title": title, "content": read_content(content), "status": status}
    return add_note(account_id=account_id, fields=fields).pk
