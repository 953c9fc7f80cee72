/** Changes of a note that the service does not have yet, kept on this device. */

import { dropCopy, keepCopy, ONLY_HERE, readCopy } from "../device/store";
import type { Note, RichText } from "./note";

/** The fields that changed. */
export interface NoteFields {
  title?: string;
  content?: RichText;
  status?: Note["status"];
}

export interface Draft extends NoteFields {
  /** The version of the note that was changed. */
  base: number;
}

const keyOf = (id: string): string => `${ONLY_HERE}note-draft:${id}`;

export const keepDraft = (id: string, draft: Draft): Promise<void> => keepCopy(keyOf(id), draft);
export const dropDraft = (id: string): Promise<void> => dropCopy(keyOf(id));
export const readDraft = async (id: string): Promise<Draft | undefined> => (await readCopy<Draft>(keyOf(id)))?.data;
