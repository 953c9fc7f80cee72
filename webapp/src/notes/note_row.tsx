import { inLanguage } from "../lib/language";
import { whenOf } from "../lib/school_time";
import { useNow } from "../lib/use_now";
import { shownTitle, type NoteSummary } from "./note";

const texts = inLanguage({
  en: { shared: "Shared", archived: "Archived", empty: "No text" },
  sv: { shared: "Delad", archived: "Arkiverad", empty: "Ingen text" },
});

/** A note in the list. */
export function NoteRow({ note }: { note: NoteSummary }) {
  const now = useNow();
  return (
    <li>
      <a class="row" href={`/app/notes/${note.id}`}>
        <div class="row-main">
          <div class="row-title" dir="auto">{shownTitle(note.title)}</div>
          <div class="row-text" dir="auto">{note.excerpt || texts.empty}</div>
        </div>
        <div class="note-row-side">
          <time class="small quiet" dateTime={new Date(note.updatedAt).toISOString()}>
            {whenOf(note.updatedAt, now)}
          </time>
          {note.shareUrl && <span class="tag tag-accent">{texts.shared}</span>}
          {note.status === "archived" && <span class="tag">{texts.archived}</span>}
        </div>
      </a>
    </li>
  );
}
