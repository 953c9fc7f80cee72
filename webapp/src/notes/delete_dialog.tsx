import { api } from "../api/client";
import { good } from "../api/errors";
import { inLanguage } from "../lib/language";
import { Dialog } from "../ui/dialog";
import { Notice } from "../ui/notice";
import { useAction } from "../ui/use_action";
import { shownTitle, type Note } from "./note";

const texts = inLanguage({
  en: {
    title: "Delete the note?",
    about: (title: string) => `“${title}” is deleted for good. You cannot undo it.`,
    link: "The link to it stops working.",
    confirm: "Delete",
    cancel: "Cancel",
  },
  sv: {
    title: "Ta bort anteckningen?",
    about: (title: string) => `”${title}” tas bort för alltid. Du kan inte ångra det.`,
    link: "Länken till den slutar fungera.",
    confirm: "Ta bort",
    cancel: "Avbryt",
  },
});

interface Props {
  note: Note;
  onDeleted: () => Promise<void>;
  onClose: () => void;
}

export function DeleteDialog({ note, onDeleted, onClose }: Props) {
  const { error, isRunning, run } = useAction();
  const remove = () =>
    run(async () => {
      await good(api.DELETE("/api/notes/{note_id}", { params: { path: { note_id: note.id } } }));
      await onDeleted();
    });
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <p>
        {texts.about(shownTitle(note.title))} {note.shareUrl && texts.link}
      </p>
      {error && <Notice kind="error">{error.message}</Notice>}
      <div class="button-row">
        <button type="button" class="button-danger" disabled={isRunning} onClick={() => void remove()}>
          {texts.confirm}
        </button>
        <button type="button" class="button-quiet" onClick={onClose}>
          {texts.cancel}
        </button>
      </div>
    </Dialog>
  );
}
