import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { inLanguage } from "../../lib/language";
import { useResource } from "../../lib/use_resource";
import { EMPTY } from "../../notes/document";
import { beginNote, readNotes, type NoteSummary } from "../../notes/note";
import { NoteRow } from "../../notes/note_row";
import { Page } from "../../shell/page";
import { useKeptState } from "../../shell/way_back";
import { Icon } from "../../ui/icon";
import { Loaded } from "../../ui/loaded";
import { Notice } from "../../ui/notice";
import { useAction } from "../../ui/use_action";
import "../../styles/notes.css";

const texts = inLanguage({
  en: {
    title: "Notes",
    add: "New note",
    filter: "Show",
    all: "All",
    archived: "Archived",
    none: "No notes yet. Write down what you want to remember.",
    noneArchived: "No archived notes.",
    more: "Show more",
  },
  sv: {
    title: "Anteckningar",
    add: "Ny anteckning",
    filter: "Visa",
    all: "Alla",
    archived: "Arkiverade",
    none: "Inga anteckningar än. Skriv ner det du vill komma ihåg.",
    noneArchived: "Inga arkiverade anteckningar.",
    more: "Visa fler",
  },
});

/** The list of notes, the last changed first. */
export default function Notes() {
  const { route } = useLocation();
  const [showsArchive, setShowsArchive] = useKeptState("archive", false);
  const first = useResource("notes", () => readNotes());
  const [later, setLater] = useState<{ notes: NoteSummary[]; next: string | null }>();
  const { error, isRunning, run } = useAction();

  const add = () => run(async () => route(`/app/notes/${(await beginNote({ content: EMPTY })).id}`));
  const showMore = (cursor: string) =>
    run(async () => {
      const page = await readNotes(cursor);
      setLater({ notes: [...(later?.notes ?? []), ...page.notes], next: page.next });
    });
  return (
    <Page
      title={texts.title}
      back="/app/more"
      class="notes-page"
      actions={
        <button type="button" class="button" disabled={isRunning} onClick={() => void add()}>
          <Icon name="add" />
          <span>{texts.add}</span>
        </button>
      }
    >
      {error && <Notice kind="error">{error.message}</Notice>}
      <div class="filter button-row" role="group" aria-label={texts.filter}>
        {[false, true].map((isArchive) => (
          <button
            key={String(isArchive)}
            type="button"
            class="button-quiet"
            aria-pressed={isArchive === showsArchive}
            onClick={() => setShowsArchive(isArchive)}
          >
            {isArchive ? texts.archived : texts.all}
          </button>
        ))}
      </div>
      <Loaded resource={first}>
        {(page) => {
          const notes = withoutDoubles([...page.notes, ...(later?.notes ?? [])]);
          const shown = notes.filter((note) => (note.status === "archived") === showsArchive);
          const next = later ? later.next : page.next;
          return (
            <>
              {shown.length > 0 && (
                <ul class="rows">
                  {shown.map((note) => (
                    <NoteRow key={note.id} note={note} />
                  ))}
                </ul>
              )}
              {shown.length === 0 && !next && <p class="empty">{showsArchive ? texts.noneArchived : texts.none}</p>}
              {next && (
                <button type="button" class="button-quiet" disabled={isRunning} onClick={() => void showMore(next)}>
                  {texts.more}
                </button>
              )}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

/** A note that was changed while the list was read is on two of its pages. */
function withoutDoubles(notes: NoteSummary[]): NoteSummary[] {
  const seen = new Set<string>();
  return notes.filter(({ id }) => !seen.has(id) && seen.add(id));
}
