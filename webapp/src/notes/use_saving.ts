import { useEffect, useState } from "preact/hooks";
import type { Draft } from "./drafts";
import type { Note } from "./note";
import { NoteSaving } from "./saving";

/** The saving of an open note. `note` is what was read last; `draft` the changes of an earlier visit. */
export function useSaving(note: Note, draft: Draft | undefined, onSaved: (note: Note) => void): NoteSaving {
  const [saving] = useState(() => new NoteSaving(note, draft, onSaved));
  useEffect(() => saving.takeStored(note), [note]);
  useEffect(() => {
    // An attempt that is underway may have failed before there was a connection.
    const again = () => void saving.save().then(() => saving.save());
    const leave = () => void (document.visibilityState === "hidden" && saving.save(true));
    void saving.save(); // what the draft has
    addEventListener("online", again);
    addEventListener("pagehide", leave);
    document.addEventListener("visibilitychange", leave);
    return () => {
      removeEventListener("online", again);
      removeEventListener("pagehide", leave);
      document.removeEventListener("visibilitychange", leave);
      saving.close();
    };
  }, []);
  return saving;
}
