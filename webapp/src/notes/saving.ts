/**
 * Saves the changes of an open note: a second after the last one, and when the page is left. From
 * the first change until the service has it, it is kept on this device, so that nothing is lost
 * when the line drops or the browser closes.
 */

import { signal } from "@preact/signals";
import { api } from "../api/client";
import { good, Refused } from "../api/errors";
import { keepCopy } from "../device/store";
import { documentOf } from "./document";
import { dropDraft, keepDraft, readDraft, type Draft, type NoteFields } from "./drafts";
import { addNote, copyOf, isSameTitle, titleOfCopy, touchNote, type Note, type RichText } from "./note";
import { track } from "./saves_underway";

const SAVE_AFTER = 1_000;
const KEEP_AFTER = 300;
const RETRY_AFTER = 20_000;
/** Of a request that outlives its page; browsers allow 64 KiB. */
const MAX_LAST_BODY = 30_000;

type Attempt = { changes: Changes; fields: NoteFields };

export type SavingState =
  | { kind: "saved" }
  | { kind: "saving" }
  /** It will be tried again. */
  | { kind: "kept"; error: Refused; isOnDevice: boolean }
  /** It would be refused again; a later change may help. */
  | { kind: "refused"; error: Refused }
  /** The note was changed elsewhere, or deleted (`null`). */
  | { kind: "conflict"; stored: Note | null };

/** What the fields show at first. With another `key`, the fields begin again. */
export interface Opened {
  key: number;
  title: string;
  document: RichText;
}

/** Changes that are not saved. Making a document of the editor's content is work for later. */
interface Changes extends Omit<NoteFields, "content"> {
  content?: () => RichText;
}

export class NoteSaving {
  readonly state = signal<SavingState>({ kind: "saved" });
  readonly opened;
  #stored: Note;
  #base: number;
  #changes: Changes = {};
  /** What was sent without an answer: the service may have it. */
  #unanswered: Attempt | undefined;
  #running: Promise<void> | undefined;
  #saveTimer = 0;
  #keepTimer = 0;
  #isClosed = false;

  constructor(
    note: Note,
    draft: Draft | undefined,
    private readonly onSaved: (note: Note) => void,
  ) {
    const { base, content, ...fields }: Draft = draft ?? { base: note.version };
    this.#stored = note;
    this.#base = base;
    this.#changes = content ? { ...fields, content: () => content } : fields;
    const document = content ?? documentOf(note);
    this.opened = signal<Opened>({ key: 0, title: fields.title ?? note.title, document });
  }

  change(changes: Changes): void {
    touchNote(this.#stored.id);
    this.#changes = { ...this.#changes, ...changes };
    this.#keepTimer ||= setTimeout(() => this.#keep(), KEEP_AFTER);
    // Without a connection the next attempt is set already.
    if (this.state.value.kind === "conflict" || this.state.value.kind === "kept") return;
    this.state.value = { kind: "saving" };
    this.#saveIn(SAVE_AFTER);
  }

  /** Sends what is not saved. `isLast`: the page may be gone before the answer. */
  save(isLast = false): Promise<void> {
    clearTimeout(this.#saveTimer);
    if (isLast) this.#keep();
    if (!this.#running && this.#hasChanges && this.state.value.kind !== "conflict") {
      this.#running = track(this.#send(isLast)).then(() => {
        this.#running = undefined;
        if (this.#hasChanges && this.state.value.kind === "saving") this.#saveIn(this.#isClosed ? 0 : SAVE_AFTER);
      });
    }
    return this.#running ?? Promise.resolve();
  }

  /** The page is left. */
  close(): void {
    this.#isClosed = true;
    void this.save(true);
  }

  /** The note is deleted: nothing of it is kept or sent. */
  async discard(): Promise<void> {
    this.#changes = {};
    this.#stopTimers();
    await dropDraft(this.#stored.id);
  }

  /** Shows a note that was read again, unless there are changes: then saving finds the difference. */
  takeStored(note: Note): void {
    if (note.version <= this.#base || this.#hasChanges || this.#running) return;
    this.#base = note.version;
    if (note.title !== this.#stored.title || note.content !== this.#stored.content) this.#open(note);
    this.#stored = note;
  }

  /** Solves a conflict: the own changes replace what is stored. */
  keepMine(stored: Note): void {
    this.#base = stored.version;
    this.state.value = { kind: "saving" };
    void this.save();
  }

  /** Solves a conflict: the note with the own changes becomes a new note, which this returns. */
  async keepBoth(stored: Note | null): Promise<Note> {
    const fields = this.#fields;
    const title = titleOfCopy(fields.title ?? this.#stored.title);
    const copy = await addNote({ title, content: fields.content ?? this.#stored.content });
    await this.discard();
    if (stored) {
      this.#open(stored);
      this.#stored = stored;
      this.#succeed(stored, {});
    }
    return copy;
  }

  get #hasChanges(): boolean {
    return Object.keys(this.#changes).length > 0;
  }

  get #fields(): NoteFields {
    const { content, ...fields } = this.#changes;
    return content ? { ...fields, content: content() } : fields;
  }

  async #send(isLast: boolean): Promise<void> {
    const sent = { changes: this.#changes, fields: this.#fields };
    if (this.state.value.kind !== "kept") this.state.value = { kind: "saving" };
    try {
      const body = { ...sent.fields, version: this.#base };
      const keepalive = isLast && JSON.stringify(body).length < MAX_LAST_BODY;
      const path = { note_id: this.#stored.id };
      const { note } = await good(api.PATCH("/api/notes/{note_id}", { params: { path }, body, keepalive }));
      this.#succeed(note, sent.changes);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await this.#fail(error, sent);
    }
  }

  #succeed(note: Note, saved: Changes): void {
    const isSaved = ([name, value]: [string, unknown]) => saved[name as keyof Changes] === value;
    this.#changes = Object.fromEntries(Object.entries(this.#changes).filter((each) => !isSaved(each)));
    this.#unanswered = undefined;
    this.#base = note.version;
    const isNew = (name: "title" | "content") => saved[name] === undefined && note[name] !== this.#stored[name];
    if (!this.#hasChanges) {
      if (isNew("title") || isNew("content")) this.#open(note);
      this.#stopTimers();
      void dropDraft(note.id);
      this.state.value = { kind: "saved" };
    } else {
      this.#keep();
      this.state.value = { kind: "saving" };
    }
    this.#stored = note;
    void keepCopy(copyOf(note.id), note);
    this.onSaved(note);
  }

  async #fail(error: Refused, sent: Attempt): Promise<void> {
    const stored = (error.body as { note?: Note } | undefined)?.note;
    if (error.status === 409 && stored) return this.#meet(stored, sent);
    this.#keep();
    if (error.status === 404) this.state.value = { kind: "conflict", stored: null };
    else if (error.isTemporary || error.status === 401) {
      this.#unanswered = sent;
      const isOnDevice = (await readDraft(this.#stored.id)) !== undefined;
      this.state.value = { kind: "kept", error, isOnDevice };
      if (!this.#isClosed) this.#saveIn(RETRY_AFTER);
    } else this.state.value = { kind: "refused", error };
  }

  /** Another version is stored than the one that was changed. */
  #meet(stored: Note, sent: Attempt): void {
    const own = [this.#unanswered, sent].find((each) => each && isStored(each.fields, stored));
    // An earlier request was saved, but its answer did not come.
    if (own) this.#succeed(stored, own.changes);
    // Archiving is not about the text.
    else if (!("title" in sent.fields) && !("content" in sent.fields)) this.#base = stored.version;
    else {
      this.#keep();
      this.state.value = { kind: "conflict", stored };
    }
  }

  #open(note: Note): void {
    this.opened.value = { key: this.opened.value.key + 1, title: note.title, document: documentOf(note) };
  }

  #keep(): void {
    clearTimeout(this.#keepTimer);
    this.#keepTimer = 0;
    if (this.#hasChanges) void keepDraft(this.#stored.id, { ...this.#fields, base: this.#base });
  }

  #saveIn(milliseconds: number): void {
    clearTimeout(this.#saveTimer);
    this.#saveTimer = setTimeout(() => void this.save(this.#isClosed), milliseconds);
  }

  #stopTimers(): void {
    clearTimeout(this.#saveTimer);
    clearTimeout(this.#keepTimer);
    this.#keepTimer = 0;
  }
}

/** Whether a stored note has these fields. The service gives a document back as its compact JSON. */
function isStored({ title, content, status }: NoteFields, note: Note): boolean {
  return (
    (title === undefined || isSameTitle(title, note.title)) &&
    (content === undefined || JSON.stringify(content) === note.content) &&
    (status === undefined || status === note.status)
  );
}
