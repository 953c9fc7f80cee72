import { useEffect, useRef } from "preact/hooks";
import { api } from "../api/client";
import { good } from "../api/errors";
import { useAction, type Action } from "../ui/use_action";
import { takeEarlier, takeNewest } from "./apply";
import { chats, type Chat } from "./state";

const PAGE = 50;
/** Of 100 messages, that are read to reach one that somebody searched. */
const PAGES_TO_FOUND = 10;

interface Messages {
  chat: Chat | undefined;
  /** Whether it was there, and the person is no longer a member. */
  isGone: boolean;
  reading: Action;
  readingEarlier: Action;
  readEarlier: () => void;
}

/** A conversation with its messages, which are read when they are not known; all of them back to `found`, a seq. */
export function useMessages(id: string, found?: number): Messages {
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
      // Another answer may have come first: this one would take away what was read back from it.
      if (!chats.value.get(id)?.messages) takeNewest(answer.conversation, answer.messages);
    });
  useEffect(() => {
    if (isKnown || isGone) return;
    void readNewest();
    const again = () => void readNewest();
    addEventListener("caught-up", again);
    return () => removeEventListener("caught-up", again);
  }, [id, isKnown, isGone]);

  async function readPage(limit: number): Promise<void> {
    const before = firstOf(id);
    if (before === undefined) return;
    const { messages, next } = await good(
      api.GET("/api/conversations/{conversation_id}/messages", { params: { path, query: { before, limit } } }),
    );
    takeEarlier(id, messages, next !== null);
  }
  const readBackTo = (seq: number) =>
    readingEarlier.run(async () => {
      for (let page = 0; page < PAGES_TO_FOUND && chats.value.get(id)?.hasEarlier; page += 1) {
        if ((firstOf(id) ?? 0) <= seq) return;
        await readPage(100);
      }
    });
  useEffect(() => {
    if (isKnown && found !== undefined) void readBackTo(found);
  }, [id, isKnown, found]);

  const readEarlier = () => void readingEarlier.run(() => readPage(PAGE));
  return { chat, isGone, reading, readingEarlier, readEarlier };
}

/** The seq of the earliest message that is known. */
const firstOf = (id: string): number | undefined => chats.value.get(id)?.messages?.[0]?.seq;
