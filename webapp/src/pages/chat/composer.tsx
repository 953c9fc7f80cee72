import { useEffect, useRef, useState } from "preact/hooks";
import { dropCopy, keepCopy, ONLY_HERE, readCopy } from "../../device/store";
import { inLanguage } from "../../lib/language";
import { takeShared } from "../../lib/shared_text";
import { changeMessage } from "../../live/actions";
import { sayTyping } from "../../live/follow";
import { mentionedIn } from "../../live/mentions";
import { senderLine } from "../../live/names";
import { post } from "../../live/outbox";
import type { Conversation, Message } from "../../live/state";
import type { Encryption } from "../../live/use_encryption";
import { Icon } from "../../ui/icon";
import { Notice } from "../../ui/notice";
import { useAction } from "../../ui/use_action";
import { useMentions } from "./use_mentions";

const texts = inLanguage({
  en: {
    message: "Message",
    send: "Send",
    save: "Save",
    cancel: "Cancel",
    answering: (name: string) => `Reply to ${name}`,
    editing: "Edit your message",
    long: (over: number) => (over === 1 ? "1 character too many." : `${over} characters too many.`),
  },
  sv: {
    message: "Meddelande",
    send: "Skicka",
    save: "Spara",
    cancel: "Avbryt",
    answering: (name: string) => `Svar till ${name}`,
    editing: "Ändra ditt meddelande",
    long: (over: number) => `${over} tecken för mycket.`,
  },
});

const LONGEST = 2000;
const TYPING_EVERY = 3_000;

interface Props {
  conversation: Conversation;
  encryption: Encryption;
  answered: Message | null;
  edited: Message | null;
  onDone: () => void;
}

/** Where a message is written. What is not sent yet stays on the device. */
export function Composer({ conversation, encryption, answered, edited, onDone }: Props) {
  const [text, setText] = useDraft(conversation, encryption, edited);
  const field = useRef<HTMLTextAreaElement>(null);
  const saidTyping = useRef(0);
  const { error, run } = useAction();
  const mentions = useMentions(field, text, setText, conversation);
  const over = [...text.trim()].length - LONGEST;
  useEffect(() => {
    if (answered ?? edited) field.current?.focus();
  }, [answered, edited]);
  useEffect(() => {
    if (!field.current) return;
    field.current.style.height = "auto";
    field.current.style.height = `${Math.min(field.current.scrollHeight + 2, 160)}px`;
  }, [text]);

  async function send(): Promise<void> {
    const written = text.trim();
    if (!written || over > 0) return;
    if (edited) {
      const body = await bodyOf(written);
      if (!(await run(() => changeMessage(edited, { action: "edit", ...body })))) return;
      leave();
    } else {
      // At once: what is typed while this message is kept belongs to the next one.
      setText("");
      leave();
      const body = await bodyOf(written);
      await post(conversation.id, answered ? { ...body, replyTo: { messageId: answered.id } } : body);
    }
  }
  async function bodyOf(written: string) {
    const content = await encryption.sealed(written);
    const named = conversation.encrypted ? mentionedIn(written, conversation) : [];
    return named.length > 0 ? { content, mentions: named } : { content };
  }
  const leave = () => {
    onDone();
    field.current?.focus();
  };
  const onInput = (value: string) => {
    setText(value);
    mentions.seeCaret();
    if (!value || edited || Date.now() - saidTyping.current < TYPING_EVERY) return;
    saidTyping.current = Date.now();
    sayTyping(conversation.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (mentions.onKeyDown(event)) return;
    // A phone's keyboard has no Shift+Enter: there, Enter begins a new line.
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing && matchMedia("(hover: hover)").matches) {
      event.preventDefault();
      void send();
    }
    if (event.key === "Escape" && (answered ?? edited)) onDone();
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {error && <Notice kind="error">{error.message}</Notice>}
      {over > 0 && <p class="field-error" role="status">{texts.long(over)}</p>}
      {(answered ?? edited) && (
        <div class="composer-about">
          <p class="small">{edited ? texts.editing : answered && texts.answering(senderLine(answered, conversation))}</p>
          <button type="button" class="button-icon" aria-label={texts.cancel} onClick={onDone}>
            <Icon name="close" />
          </button>
        </div>
      )}
      {mentions.list}
      <div class="composer-line">
        <textarea
          {...mentions.attributes}
          ref={field}
          rows={1}
          dir="auto"
          aria-label={texts.message}
          placeholder={texts.message}
          value={text}
          onInput={(event) => onInput(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <button class="button composer-send" aria-label={edited ? texts.save : texts.send} disabled={!text.trim() || over > 0}>
          <Icon name={edited ? "check" : "send"} />
        </button>
      </div>
    </form>
  );
}

/** The text that was begun; kept encrypted where the group is. An edit begins with the message. */
function useDraft(conversation: Conversation, encryption: Encryption, edited: Message | null) {
  const [text, setText] = useState(edited?.content ?? "");
  const key = `${ONLY_HERE}draft-${conversation.id}`;
  const canRead = encryption.state === "none" || encryption.state === "open";
  useEffect(() => {
    if (edited || !canRead) return;
    void readCopy<string>(key).then(async (copy) => {
      const kept = (copy && (await encryption.opened({ content: copy.data }))) || "";
      const shared = takeShared(conversation.id);
      if (shared) set(kept ? `${kept}\n${shared}` : shared);
      else if (kept) setText((now) => now || kept);
    });
  }, [key, canRead]);
  const set = (value: string) => {
    setText(value);
    if (edited) return;
    if (value) void encryption.sealed(value).then((sealed) => keepCopy(key, sealed));
    else void dropCopy(key);
  };
  return [text, set] as const;
}
