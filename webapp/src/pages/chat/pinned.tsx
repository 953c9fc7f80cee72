import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { api } from "../../api/client";
import { good, Refused } from "../../api/errors";
import { inLanguage } from "../../lib/language";
import { whenOf } from "../../lib/school_time";
import { senderLine } from "../../live/names";
import { chats, type Message } from "../../live/state";
import { useEncryption } from "../../live/use_encryption";
import { useTexts } from "../../live/use_texts";

const texts = inLanguage({ en: { title: "Pinned" }, sv: { title: "Fästa" } });

interface Props {
  id: string;
  /** What comes below them, once they are known: it is not to move when they come. */
  children: ComponentChildren;
}

/** The pinned messages of a conversation. */
export function Pinned({ id, children }: Props) {
  const [messages, setMessages] = useState<Message[]>();
  const conversation = chats.value.get(id)?.conversation;
  const encryption = useEncryption(conversation);
  const textOf = useTexts(messages ?? [], encryption);
  useEffect(() => {
    const params = { path: { conversation_id: id }, query: { pinned: "true" as const } };
    good(api.GET("/api/conversations/{conversation_id}", { params }))
      .then((answer) => setMessages(answer.messages))
      .catch((error: unknown) => {
        if (!(error instanceof Refused)) throw error;
        setMessages([]);
      });
  }, [id, conversation?.revision]);
  if (!messages) return null;
  return (
    <>
      {messages.length > 0 && (
        <section class="stack" aria-labelledby="pinned">
          <h2 id="pinned">{texts.title}</h2>
          <ul class="rows">
            {messages.map((message) => (
              <li key={message.id} class="row">
                <div class="row-main">
                  <p class="written" dir="auto">{textOf(message) ?? "…"}</p>
                  <p class="quiet small">
                    {conversation ? senderLine(message, conversation) : message.senderDisplayName} · {whenOf(message.createdAt, Date.now())}
                  </p>
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
      {children}
    </>
  );
}
