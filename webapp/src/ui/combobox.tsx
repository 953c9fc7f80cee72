import { useId, useState } from "preact/hooks";
import { nameSearch } from "../lib/name_search";

export interface Choice {
  id: string;
  name: string;
}

interface Props {
  id: string;
  choices: Choice[];
  value: string;
  onChoose: (id: string) => void;
  /** Said when nothing fits what was typed. */
  nothing: string;
  invalid?: boolean | undefined;
  describedBy?: string | undefined;
}

const SHOWN = 50;

/** A text field that filters a long list (WAI-ARIA "combobox" with a list). */
export function Combobox({ id, choices, value, onChoose, nothing, invalid, describedBy }: Props) {
  const list = useId();
  const [text, setText] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const chosen = choices.find((each) => each.id === value);
  const isOpen = text !== null;
  const found = isOpen ? matching(choices, text).slice(0, SHOWN) : [];

  const choose = (choice: Choice) => {
    onChoose(choice.id);
    setText(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move) {
      event.preventDefault();
      if (!isOpen) setText("");
      else setActive((active + move + found.length) % Math.max(1, found.length));
    } else if (event.key === "Enter" && isOpen) {
      event.preventDefault();
      if (found[active]) choose(found[active]);
    } else if (event.key === "Escape" && isOpen) {
      event.stopPropagation();
      setText(null);
    }
  };
  return (
    <div class="combobox">
      <input
        id={id}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && found[active] ? `${list}-${active}` : undefined}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        autocomplete="off"
        spellcheck={false}
        value={text ?? chosen?.name ?? ""}
        onFocus={(event) => event.currentTarget.select()}
        onClick={() => setText(text ?? "")}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setText(null)}
      />
      <ul id={list} role="listbox" aria-labelledby={id} hidden={!isOpen}>
        {found.map((choice, index) => (
          <li
            key={choice.id}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === active}
            // Before the field loses the focus and the list closes.
            onPointerDown={(event) => {
              event.preventDefault();
              choose(choice);
            }}
          >
            {choice.name}
          </li>
        ))}
        {isOpen && choices.length > 0 && found.length === 0 && <li class="combobox-nothing">{nothing}</li>}
      </ul>
    </div>
  );
}

function matching(choices: Choice[], text: string): Choice[] {
  const isWanted = nameSearch(text);
  return choices.filter((each) => isWanted(each.name));
}
