"""Talk with somebody: every line that is typed is sent. Ctrl-C ends."""

import argparse
import sys
import threading
import time
from uuid import uuid4

import httpx

from follow import Follower
from sign_in import Refused, good, sign_in
from wrapper_client import Client
from wrapper_client.api.conversations import conversations_create
from wrapper_client.api.messages import message_send
from wrapper_client.models import Message, NewConversationRequest, SendRequest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("username")
    parser.add_argument("other", help="username of the other person")
    arguments = parser.parse_args()

    client, token = sign_in(arguments.username)
    wanted = NewConversationRequest(target_username=arguments.other)
    found = good(conversations_create.sync_detailed(client=client, body=wanted)).conversation
    print(f"You and {found.participant_names[arguments.other]}", flush=True)
    threading.Thread(target=send_lines, args=(client, found.id), daemon=True).start()
    Follower(client, token, found.id, show).follow()


def show(message: Message) -> None:
    text = "(deleted)" if message.deleted_at else message.content
    edited = " (edited)" if message.edited else ""
    print(f"{message.seq} {message.sender_display_name}: {text}{edited}", flush=True)


def send_lines(client: Client, conversation_id: str) -> None:
    """Send what is typed. It is shown when it comes back, like everybody's messages."""
    for line in sys.stdin:
        if line.strip():
            send(client, conversation_id, line.strip())


def send(client: Client, conversation_id: str, text: str) -> None:
    """Send a message, and try again while it is not known to be kept.

    The service keeps a message once for each `clientId`, so trying again cannot double it.
    """
    body = SendRequest(content=text, client_id=uuid4().hex)
    while True:
        try:
            good(message_send.sync_detailed(conversation_id, client=client, body=body))
            return
        except Refused as error:
            if not error.is_temporary:
                print(f"Not sent: {error}", file=sys.stderr, flush=True)
                return
        except httpx.TransportError:
            pass
        print("Not sent yet. Trying again.", file=sys.stderr, flush=True)
        time.sleep(1)


if __name__ == "__main__":
    try:
        main()
    except (Refused, httpx.TransportError) as error:
        sys.exit(f"{error}")
    except KeyboardInterrupt:
        pass
