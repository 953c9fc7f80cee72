import { useLocation } from "preact-iso";
import { inLanguage } from "../lib/language";
import type { Resource } from "../lib/use_resource";
import { Page } from "../shell/page";
import { Notice } from "../ui/notice";
import { useAction } from "../ui/use_action";
import { ConflictNotice } from "./conflict_notice";
import type { Draft } from "./drafts";
import type { Note } from "./note";
import { NoteActions } from "./note_actions";
import { NoteFields } from "./note_fields";
import { SavingStatus } from "./saving_status";
import { useSaving } from "./use_saving";

const texts = inLanguage({
  en: { title: "Note", archived: "Archived", shared: "Shared" },
  sv: { title: "Anteckning", archived: "Arkiverad", shared: "Delad" },
});

interface Props {
  note: Note;
  draft: Draft | undefined;
  resource: Resource<Note>;
}

/** A note that can be changed, with what happens around it: saving, conflicts, sharing. */
export function OpenNote({ note, draft, resource }: Props) {
  const { route } = useLocation();
  const saving = useSaving(note, draft, resource.replace);
  const solving = useAction();
  const state = saving.state.value;
  const opened = saving.opened.value;
  const keepBoth = (stored: Note | null) =>
    solving.run(async () => {
      const copy = await saving.keepBoth(stored);
      if (!stored) route(`/app/notes/${copy.id}`, true);
    });
  return (
    <Page
      title={texts.title}
      back="/app/notes"
      class="note-page"
      actions={<NoteActions note={note} saving={saving} reload={resource.reload} />}
    >
      <div class="note-state">
        <SavingStatus saving={saving} />
        {note.shareUrl && <span class="tag tag-accent">{texts.shared}</span>}
        {note.status === "archived" && <span class="tag">{texts.archived}</span>}
      </div>
      {resource.error && !resource.error.isTemporary && <Notice kind="error">{resource.error.message}</Notice>}
      {state.kind === "conflict" && (
        <ConflictNotice stored={state.stored} onKeepMine={(stored) => saving.keepMine(stored)} onKeepBoth={keepBoth} />
      )}
      {solving.error && <Notice kind="error">{solving.error.message}</Notice>}
      {/* While the changes move to another note, there are no new ones. */}
      <div class="stack" inert={solving.isRunning}>
        <NoteFields key={opened.key} opened={opened} saving={saving} />
      </div>
    </Page>
  );
}
