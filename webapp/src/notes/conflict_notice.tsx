import { inLanguage } from "../lib/language";
import { Notice } from "../ui/notice";
import type { Note } from "./note";

const texts = inLanguage({
  en: {
    changed: "This note was also changed somewhere else. Which one do you want to keep here?",
    deleted: "This note was deleted somewhere else. You can save what you have as a new note.",
    mine: "Keep mine",
    theirs: "Take the other",
    hint: "If you take the other, yours becomes a new note. Nothing is lost.",
    save: "Save as a new note",
  },
  sv: {
    changed: "Anteckningen har också ändrats någon annanstans. Vilken vill du behålla här?",
    deleted: "Anteckningen har tagits bort någon annanstans. Du kan spara det du har som en ny anteckning.",
    mine: "Behåll min",
    theirs: "Ta den andra",
    hint: "Tar du den andra blir din en ny anteckning. Inget går förlorat.",
    save: "Spara som ny anteckning",
  },
});

interface Props {
  /** The other one, `null` when it was deleted. */
  stored: Note | null;
  onKeepMine: (stored: Note) => void;
  onKeepBoth: (stored: Note | null) => void;
}

/** Asks which of two versions stays. */
export function ConflictNotice({ stored, onKeepMine, onKeepBoth }: Props) {
  return (
    <Notice kind="warning">
      <div class="stack">
        <p>{stored ? texts.changed : texts.deleted}</p>
        {stored && <p class="small">{texts.hint}</p>}
        <div class="button-row">
          {stored && (
            <button type="button" class="button" onClick={() => onKeepMine(stored)}>
              {texts.mine}
            </button>
          )}
          <button type="button" class={stored ? "button-quiet" : "button"} onClick={() => onKeepBoth(stored)}>
            {stored ? texts.theirs : texts.save}
          </button>
        </div>
      </div>
    </Notice>
  );
}
