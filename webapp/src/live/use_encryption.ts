import { useEffect, useState } from "preact/hooks";
import { decrypt, encrypt, fitsKeyCheck, keepKey, makeKey, readKey } from "./encryption";
import type { Conversation } from "./state";

export interface Encryption {
  /** "reading" until it is known whether this browser has the key. */
  state: "none" | "reading" | "locked" | "open";
  /** Takes the key of a passphrase; false for a wrong one, which opens none of the messages. */
  unlock: (passphrase: string, messages: Sealed[]) => Promise<boolean>;
  /** What to send for a text. */
  sealed: (text: string) => Promise<string>;
  /** What a message says; `undefined` when it cannot be read. */
  opened: (message: Sealed) => Promise<string | undefined>;
}

export interface Sealed {
  content: string;
  iv?: string | null;
}

/** The key of an encrypted group, as far as this browser has it. */
export function useEncryption(conversation: Conversation | undefined): Encryption {
  const id = conversation?.id ?? "";
  const isEncrypted = conversation?.encrypted ?? false;
  const [key, setKey] = useState<CryptoKey | null | undefined>(undefined);
  useEffect(() => {
    setKey(undefined);
    if (isEncrypted) void readKey(id).then((kept) => setKey(kept ?? null));
  }, [id, isEncrypted]);

  async function unlock(passphrase: string, messages: Sealed[]): Promise<boolean> {
    const fits = conversation?.keyCheck ? await fitsKeyCheck(passphrase, conversation.keyCheck) : undefined;
    if (fits === false) return false;
    const made = await makeKey(passphrase, id);
    if (fits) return take(made);
    const tried = messages.filter(({ content }) => content);
    const texts = await Promise.all(tried.map(({ content, iv = null }) => decrypt(content, iv, made)));
    if (tried.length > 0 && texts.every((each) => each === undefined)) return false;
    return take(made);
  }
  async function take(made: CryptoKey): Promise<true> {
    await keepKey(id, made);
    setKey(made);
    return true;
  }
  return {
    state: !isEncrypted ? "none" : key === undefined ? "reading" : key === null ? "locked" : "open",
    unlock,
    sealed: async (text) => (key ? encrypt(text, key) : text),
    opened: async ({ content, iv = null }) => (key ? decrypt(content, iv, key) : content),
  };
}
