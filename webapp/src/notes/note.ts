/** What a note is to the pages about notes: its types, its title, and how it is read and kept. */

import { api, type Schemas } from "../api/client";
import { good } from "../api/errors";
import { dropCopy, keepCopy } from "../device/store";
import { inLanguage } from "../lib/language";
import { settled } from "./saves_underway";

const texts = inLanguage({
  en: { untitled: "Untitled", copy: (title: string) => `${title} (copy)` },
  sv: { untitled: "Namnlös", copy: (title: string) => `${title} (kopia)` },
});

export type Note = Schemas["Note"];
export type RichText = Schemas["RichText"];
/** What the list shows of a note, without its text. */
export type NoteSummary = Pick<Note, "id" | "title" | "excerpt" | "status" | "shareUrl" | "updatedAt">;

export const MAX_TITLE = 200;
/** The title that the service gives to a note without one. */
const NO_TITLE = "Untitled";
const PAGE = 50;

/** The title as the person wrote it: empty without one. */
export const ownTitle = (title: string): string => (title === NO_TITLE ? "" : title);
export const shownTitle = (title: string): string => ownTitle(title) || texts.untitled;
export const titleOfCopy = (title: string): string => texts.copy(shownTitle(title).slice(0, MAX_TITLE - 20));
/** Whether the service stores this title as that one. */
export const isSameTitle = (one: string, other: string): boolean => ownTitle(one.trim()) === ownTitle(other.trim());

/** The name of a note's copy on this device. */
export const copyOf = (id: string): string => `note:${id}`;

export async function readNote(id: string): Promise<Note> {
  await settled();
  return (await good(api.GET("/api/notes/{note_id}", { params: { path: { note_id: id } } }))).note;
}

/** A page of notes. Each note is kept on the device, so that it can be opened offline. */
export async function readNotes(cursor?: string): Promise<{ notes: NoteSummary[]; next: string | null }> {
  await settled();
  const query = cursor ? { limit: PAGE, cursor } : { limit: PAGE };
  const { notes, next } = await good(api.GET("/api/notes", { params: { query } }));
  for (const note of notes) void keepCopy(copyOf(note.id), note);
  return { notes: notes.map(summaryOf), next };
}

export async function addNote(fields: Schemas["NoteRequestRequest"]): Promise<Note> {
  const { note } = await good(api.POST("/api/notes", { body: fields }));
  await keepCopy(copyOf(note.id), note);
  return note;
}

/** New notes of this visit in which nothing has been written yet. */
const untouched = new Set<string>();

/** A note to write in; one that is left without a word is gone again. */
export async function beginNote(fields: Schemas["NoteRequestRequest"]): Promise<Note> {
  const note = await addNote(fields);
  untouched.add(note.id);
  return note;
}

export const touchNote = (id: string): boolean => untouched.delete(id);

/** The page of a note is left. */
export async function leaveNote(id: string): Promise<void> {
  if (!untouched.delete(id)) return;
  const { title, excerpt, shareUrl, version } = await readNote(id);
  if (ownTitle(title) || excerpt || shareUrl || version > 1) return;
  await good(api.DELETE("/api/notes/{note_id}", { params: { path: { note_id: id } } }));
  await dropCopy(copyOf(id));
  dispatchEvent(new Event("stale")); // the list may have been read before
}

const summaryOf = ({ id, title, excerpt, status, shareUrl, updatedAt }: Note): NoteSummary => ({
  id,
  title,
  excerpt,
  status,
  shareUrl,
  updatedAt,
});
