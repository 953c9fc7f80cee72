import { useState } from "preact/hooks";
import { api } from "../api/client";
import { good } from "../api/errors";
import { inLanguage } from "../lib/language";
import { ShareInChat } from "../live/share_in_chat";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { Notice } from "../ui/notice";
import { useAction } from "../ui/use_action";
import { shownTitle, type Note } from "./note";

const texts = inLanguage({
  en: {
    title: "Share",
    closed: "Only you can read this note. If you make a link, anyone with the link can read it without an account.",
    open: "Anyone with the link can read this note, also what you change later. Nobody else can change it.",
    make: "Make a link",
    link: "Address of the note",
    copy: "Copy the link",
    copied: "Copied.",
    notCopied: "The link could not be copied. Select the address above and copy it yourself.",
    send: "Send it …",
    end: "End sharing",
    inChat: "Everybody there gets a copy of the note as it is now, and keeps it.",
  },
  sv: {
    title: "Dela",
    closed: "Bara du kan läsa anteckningen. Gör du en länk kan alla som har länken läsa den, även utan konto.",
    open: "Alla som har länken kan läsa anteckningen, också det du ändrar senare. Ingen annan kan ändra den.",
    make: "Skapa en länk",
    link: "Anteckningens adress",
    copy: "Kopiera länken",
    copied: "Kopierad.",
    notCopied: "Det gick inte att kopiera länken. Markera adressen ovanför och kopiera den själv.",
    send: "Skicka …",
    end: "Sluta dela",
    inChat: "Alla där får en kopia av anteckningen som den är nu, och har den kvar.",
  },
});

interface Props {
  note: Note;
  /** Saves first, so that readers see what the person sees. */
  save: () => Promise<void>;
  /** Reads the note again. */
  onChanged: () => Promise<void>;
  onClose: () => void;
}

/** Makes, copies and ends the link of a note. */
export function ShareDialog({ note, save, onChanged, onClose }: Props) {
  const { error, isRunning, run } = useAction();
  const params = { path: { note_id: note.id } };
  const make = () =>
    run(async () => {
      await save();
      await good(api.POST("/api/notes/{note_id}/share", { params }));
      await onChanged();
    });
  const end = () =>
    run(async () => {
      await good(api.DELETE("/api/notes/{note_id}/share", { params }));
      await onChanged();
    });
  return (
    <Dialog title={texts.title} onClose={onClose}>
      {error && <Notice kind="error">{error.message}</Notice>}
      <p>{note.shareUrl ? texts.open : texts.closed}</p>
      {note.shareUrl ? (
        <>
          <Link url={note.shareUrl} title={shownTitle(note.title)} />
          <button type="button" class="button-danger" disabled={isRunning} onClick={() => void end()}>
            {texts.end}
          </button>
        </>
      ) : (
        <button type="button" class="button" disabled={isRunning} onClick={() => void make()}>
          {texts.make}
        </button>
      )}
      <ShareInChat card={{ type: "note", noteId: note.id }} about={texts.inChat} save={save} />
    </Dialog>
  );
}

function Link({ url, title }: { url: string; title: string }) {
  const [copied, setCopied] = useState<string>();
  const copy = async () => {
    const isCopied = await navigator.clipboard.writeText(url).then(
      () => true,
      () => false,
    );
    setCopied(isCopied ? texts.copied : texts.notCopied);
  };
  // Fails when the person closes the list of apps.
  const send = () => void navigator.share({ title, url }).catch(() => undefined);
  return (
    <>
      <Field label={texts.link}>
        {(attributes) => (
          <input {...attributes} readOnly value={url} onFocus={(event) => event.currentTarget.select()} />
        )}
      </Field>
      <div class="button-row">
        <button type="button" class="button" onClick={() => void copy()}>
          {texts.copy}
        </button>
        {"share" in navigator && (
          <button type="button" class="button-quiet" onClick={send}>
            {texts.send}
          </button>
        )}
      </div>
      <p class="small" role="status">
        {copied}
      </p>
    </>
  );
}
