import { useEffect, useRef } from "preact/hooks";
import { api } from "../api/client";
import { good } from "../api/errors";
import { useAction, type Action } from "../ui/use_action";
import { takeEarlier, takeNewest } from "./apply";
import { chats, type Chat } from "./state";

const PAGE = 50;

interface Messages {
  chat: Chat | undefined;
  /** Whether it was there, and the person is no longer a member. */
  isGone: boolean;
  reading: Action;
  readingEarlier: Action;
  readEarlier: () => void;
}

/** A conversation with its messages, which are read when they are not known. */
export function useMessages(id: string): Messages {
  const chat = chats.value.get(id);
  const shownId = useRef("");
  if (chat) shownId.current = id;
  const isGone = !chat && shownId.current === id;
  const reading = useAction();
  const readingEarlier = useAction();
  const path = { conversation_id: id };
  const isKnown = chat?.messages != null;

  const readNewest = () =>
    reading.run(async () => {
      let answer;
      // An event that came in the meantime is not in an older answer.
      do answer = await good(api.GET("/api/conversations/{conversation_id}", { params: { path } }));
      while (answer.conversation.revision < (chats.value.get(id)?.conversation.revision ?? 0));
      takeNewest(answer.conversation, answer.messages);
    });
  useEffect(() => {
    if (isKnown || isGone) return;
    void readNewest();
    const again = () => void readNewest();
    addEventListener("caught-up", again);
    return () => removeEventListener("caught-up", again);
  }, [id, isKnown, isGone]);

  const readEarlier = () =>
    void readingEarlier.run(async () => {
      const before = chat?.messages?.[0]?.seq;
      if (before === undefined) return;
      const { messages, next } = await good(
        api.GET("/api/conversations/{conversation_id}/messages", { params: { path, query: { before, limit: PAGE } } }),
      );
      takeEarlier(id, messages, next !== null);
    });
  return { chat, isGone, reading, readingEarlier, readEarlier };
}
