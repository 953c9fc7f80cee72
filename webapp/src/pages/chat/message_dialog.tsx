import { useState } from "preact/hooks";
import { EmojiDialog } from "../../emoji/emoji_dialog";
import { inLanguage } from "../../lib/language";
import { changeMessage, deleteMessage } from "../../live/actions";
import type { Conversation, Message } from "../../live/state";
import { ownName } from "../../session/session";
import { Dialog } from "../../ui/dialog";
import { Icon, type IconName } from "../../ui/icon";
import { Notice } from "../../ui/notice";
import { ReportDialog } from "../../ui/report_dialog";
import { ReportReasons, type Reported } from "../../ui/report_reasons";
import { useAction } from "../../ui/use_action";

const texts = inLanguage({
  en: {
    title: "Message",
    react: (emoji: string) => `React with ${emoji}`,
    reactOther: "React with another emoji",
    reply: "Reply",
    copy: "Copy",
    edit: "Edit",
    pin: "Pin",
    unpin: "Unpin",
    remove: "Delete",
    report: "Report to the school's staff",
    reportInWords: "Report in your own words",
    before: "Staff can read what it said before it was changed or deleted, for 14 days.",
    sure: "Delete it for everybody?",
  },
  sv: {
    title: "Meddelande",
    react: (emoji: string) => `Reagera med ${emoji}`,
    reactOther: "Reagera med en annan emoji",
    reply: "Svara",
    copy: "Kopiera",
    edit: "Ändra",
    pin: "Fäst",
    unpin: "Lossa",
    remove: "Ta bort",
    report: "Anmäl till skolans personal",
    reportInWords: "Anmäl med egna ord",
    before: "Personalen kan läsa vad som stod innan det ändrades eller togs bort, i 14 dagar.",
    sure: "Ta bort för alla?",
  },
});

const EMOJI = ["👍", "❤️", "😂", "😮", "😢", "🙏"];
const EDITABLE = 24 * 3_600_000;

interface Props {
  message: Message;
  text: string | undefined;
  conversation: Conversation;
  onClose: () => void;
  onReply: () => void;
  onEdit: () => void;
}

/** What can be done with a message; one that is deleted can only be reported. */
export function MessageDialog({ message, text, conversation, onClose, onReply, onEdit }: Props) {
  const [step, setStep] = useState<"choose" | "emoji" | "delete" | "report">("choose");
  const { error, run, isRunning } = useAction();
  const isOwn = message.senderUsername === ownName();
  const isDeleted = message.deletedAt !== null;
  const hasEarlierText = (isDeleted || message.edited) && !message.encrypted;
  const isAdmin = conversation.adminUsername === ownName();
  const mayPin = conversation.type === "dm" || isOwn || isAdmin;
  const mayEdit = isOwn && Date.now() - message.createdAt < EDITABLE && text !== undefined;

  const disclosed = message.encrypted && !isDeleted && text !== undefined ? { disclosed: text } : {};
  const reported: Reported = { type: "message", id: message.id, ...disclosed };

  if (step === "report") return <ReportDialog reported={reported} onClose={onClose} />;
  const change = async (body: Parameters<typeof changeMessage>[1]) => {
    if (await run(() => changeMessage(message, body))) onClose();
  };
  const remove = async () => {
    if (await run(() => deleteMessage(message))) onClose();
  };
  const hasReacted = (emoji: string) => message.reactions[emoji]?.includes(ownName()) ?? false;
  const react = (emoji: string) => void change({ action: "react", emoji });
  if (step === "emoji") return <EmojiDialog isChosen={hasReacted} error={error} onChoose={react} onClose={onClose} />;
  const then = (work: () => void) => () => {
    onClose();
    work();
  };
  return (
    <Dialog key={step} title={texts.title} onClose={onClose}>
      {error && <Notice kind="error">{error.message}</Notice>}
      {step === "delete" && !isDeleted ? (
        <>
          <p>{texts.sure}</p>
          <button type="button" class="button-danger" disabled={isRunning} onClick={() => void remove()}>
            {texts.remove}
          </button>
        </>
      ) : (
        <>
          {!isDeleted && (
            <>
              <div class="emoji-row">
                {EMOJI.map((emoji) => (
                  <button
                    key={emoji}
                    type="button"
                    class="button-icon"
                    aria-label={texts.react(emoji)}
                    aria-pressed={hasReacted(emoji)}
                    onClick={() => react(emoji)}
                  >
                    {emoji}
                  </button>
                ))}
                <button type="button" class="button-icon" aria-label={texts.reactOther} onClick={() => setStep("emoji")}>
                  <Icon name="add" />
                </button>
              </div>
              <ul class="rows">
                <Choice icon="reply" name={texts.reply} onChoose={then(onReply)} />
                {text && <Choice icon="copy" name={texts.copy} onChoose={then(() => void navigator.clipboard.writeText(text))} />}
                {mayEdit && <Choice icon="edit" name={texts.edit} onChoose={then(onEdit)} />}
                {mayPin && (
                  <Choice
                    icon="pin"
                    name={message.pinned ? texts.unpin : texts.pin}
                    onChoose={() => void change({ action: "pin", pinned: !message.pinned })}
                  />
                )}
                {(isOwn || isAdmin) && <Choice icon="trash" name={texts.remove} onChoose={() => setStep("delete")} />}
              </ul>
            </>
          )}
          {!isOwn && (
            <>
              {hasEarlierText && <p class="field-hint">{texts.before}</p>}
              <ReportReasons reported={reported} question={texts.report} />
              <ul class="rows">
                <Choice icon="flag" name={texts.reportInWords} onChoose={() => setStep("report")} />
              </ul>
            </>
          )}
        </>
      )}
    </Dialog>
  );
}

function Choice({ icon, name, onChoose }: { icon: IconName; name: string; onChoose: () => void }) {
  return (
    <li>
      <button type="button" class="row choice" onClick={onChoose}>
        <Icon name={icon} />
        {name}
      </button>
    </li>
  );
}
