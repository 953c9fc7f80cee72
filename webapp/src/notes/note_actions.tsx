import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { dropCopy } from "../device/store";
import { inLanguage } from "../lib/language";
import { Icon, type IconName } from "../ui/icon";
import { DeleteDialog } from "./delete_dialog";
import { copyOf, type Note } from "./note";
import type { NoteSaving } from "./saving";
import { ShareDialog } from "./share_dialog";

const texts = inLanguage({
  en: { share: "Share", archive: "Archive", restore: "Restore", delete: "Delete" },
  sv: { share: "Dela", archive: "Arkivera", restore: "Återställ", delete: "Ta bort" },
});

interface Props {
  note: Note;
  saving: NoteSaving;
  reload: () => Promise<void>;
}

/** Share, archive or restore, delete: the buttons beside the heading. */
export function NoteActions({ note, saving, reload }: Props) {
  const { route } = useLocation();
  const [opened, setOpened] = useState<"share" | "delete">();
  const isArchived = note.status === "archived";
  const moveToOrFromArchive = () => {
    saving.change({ status: isArchived ? "draft" : "archived" });
    void saving.save();
  };
  const leave = async () => {
    await saving.discard();
    await dropCopy(copyOf(note.id));
    route("/app/notes", true);
  };
  const close = () => setOpened(undefined);
  return (
    <>
      {!isArchived && <ActionButton label={texts.share} icon="share" onClick={() => setOpened("share")} />}
      <ActionButton
        label={isArchived ? texts.restore : texts.archive}
        icon={isArchived ? "note" : "archive"}
        onClick={moveToOrFromArchive}
      />
      <ActionButton label={texts.delete} icon="trash" onClick={() => setOpened("delete")} />
      {opened === "share" && (
        <ShareDialog note={note} save={() => saving.save()} onChanged={reload} onClose={close} />
      )}
      {opened === "delete" && <DeleteDialog note={note} onDeleted={leave} onClose={close} />}
    </>
  );
}

function ActionButton({ label, icon, onClick }: { label: string; icon: IconName; onClick: () => void }) {
  return (
    <button type="button" class="button-icon" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
