import { useRoute } from "preact-iso";
import { useEffect, useRef, useState } from "preact/hooks";
import { inLanguage } from "../../lib/language";
import { useResource } from "../../lib/use_resource";
import { readDraft, type Draft } from "../../notes/drafts";
import { copyOf, leaveNote, readNote, type Note } from "../../notes/note";
import { OpenNote } from "../../notes/open_note";
import { Page } from "../../shell/page";
import { Loaded } from "../../ui/loaded";
import "../../styles/notes.css";

const texts = inLanguage({ en: { title: "Note" }, sv: { title: "Anteckning" } });

/** One note, where it can be read and changed. */
export default function NotePage() {
  const id = useRoute().params["id"] ?? "";
  return <NoteOf key={id} id={id} />;
}

function NoteOf({ id }: { id: string }) {
  const resource = useResource(copyOf(id), () => readNote(id));
  const draft = useDraft(id);
  useEffect(() => () => void leaveNote(id).catch(() => undefined), [id]);
  const last = useRef<Note>(undefined);
  // A note that was deleted elsewhere while it is open stays, with what was written here.
  last.current = resource.data ?? last.current;
  if (last.current && draft !== undefined) {
    return <OpenNote note={last.current} draft={draft ?? undefined} resource={resource} />;
  }
  return (
    <Page title={texts.title} back="/app/notes">
      <Loaded resource={resource}>{() => null}</Loaded>
    </Page>
  );
}

/** What an earlier visit could not save: `undefined` until it is known, `null` when there is nothing. */
function useDraft(id: string): Draft | null | undefined {
  const [draft, setDraft] = useState<Draft | null>();
  useEffect(() => {
    void readDraft(id).then((found) => setDraft(found ?? null));
  }, [id]);
  return draft;
}
