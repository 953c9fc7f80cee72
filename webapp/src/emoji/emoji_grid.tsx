import { useState } from "preact/hooks";
import { moveFocusInLines } from "../lib/arrow_keys";

export interface Part {
  name: string;
  emoji: { emoji: string; name: string }[];
}

interface Props {
  label: string;
  parts: Part[];
  isChosen: (emoji: string) => boolean;
  onChoose: (emoji: string) => void;
}

/** Emoji to choose from. Tab reaches one of them, the arrow keys the others (WAI-ARIA "listbox"). */
export function EmojiGrid({ label, parts, isChosen, onChoose }: Props) {
  const [reached, setReached] = useState("0 0");
  return (
    <div role="listbox" aria-label={label} class="emoji-grid" onKeyDown={(event) => moveFocusInLines(event, "[role=option]")}>
      {parts.map(({ name, emoji }, part) => (
        <div key={name} role="group" aria-label={name} class="emoji-part">
          <p aria-hidden="true" class="quiet">
            {name}
          </p>
          {emoji.map(({ emoji: character, name: spoken }, index) => (
            <button
              key={character}
              type="button"
              role="option"
              class="button-icon"
              aria-label={spoken}
              title={spoken}
              aria-selected={isChosen(character)}
              tabIndex={reached === `${part} ${index}` ? 0 : -1}
              onFocus={() => setReached(`${part} ${index}`)}
              onClick={() => onChoose(character)}
            >
              {character}
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}
