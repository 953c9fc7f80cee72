import { useEffect, useState } from "preact/hooks";
import type { Encryption, Sealed } from "./use_encryption";

/** What messages say: at once, or after decryption; `undefined` for what this browser cannot read. */
export function useTexts(messages: Sealed[], encryption: Encryption): (message: Sealed) => string | undefined {
  const [texts, setTexts] = useState<ReadonlyMap<string, string | undefined>>(new Map());
  const isOpen = encryption.state === "open";
  const unread = isOpen ? messages.filter(({ content }) => content && !texts.has(content)) : [];
  useEffect(() => {
    if (unread.length === 0) return;
    void Promise.all(unread.map(async (each) => [each.content, await encryption.opened(each)] as const)).then((opened) =>
      setTexts((known) => new Map([...known, ...opened])),
    );
  }, [unread.length, isOpen]);
  // With another passphrase, what could not be read may be readable.
  useEffect(() => setTexts(new Map()), [encryption.state]);
  return ({ content }) => (encryption.state === "none" ? content : content && texts.get(content));
}
