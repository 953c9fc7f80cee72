import { useState } from "preact/hooks";
import { api, type Schemas } from "../api/client";
import { good } from "../api/errors";
import { inLanguage } from "../lib/language";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icon";
import { Notice } from "../ui/notice";
import { useAction } from "../ui/use_action";
import { arrangedBy, layoutOf, type Arranged, type Part } from "./home_layout";

const texts = inLanguage({
  en: { title: "Arrange the page", up: "Move up:", down: "Move down:", save: "Save" },
  sv: { title: "Ordna sidan", up: "Flytta upp:", down: "Flytta ner:", save: "Spara" },
});

type Answer = Schemas["LayoutAnswer"];

interface Props {
  layout: Answer["layout"];
  names: Record<Part, string>;
  onSaved: (answer: Answer) => void;
  onClose: () => void;
}

/** Which parts the first page has, and in which order. */
export function ArrangeDialog({ layout, names, onSaved, onClose }: Props) {
  const [parts, setParts] = useState(() => arrangedBy(layout));
  const { error, isRunning, run } = useAction();
  const save = async () => {
    const isSaved = await run(async () =>
      onSaved(await good(api.PUT("/api/layout", { body: { layout: layoutOf(parts, layout) } }))),
    );
    if (isSaved) onClose();
  };
  const show = (index: number, isShown: boolean) =>
    setParts(parts.map((each, at) => (at === index ? { ...each, isShown } : each)));
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <ul class="rows">
        {parts.map(({ part, isShown }, index) => (
          <li key={part} class="row">
            <label class="check row-main">
              <input
                type="checkbox"
                autofocus={index === 0}
                checked={isShown}
                onChange={(event) => show(index, event.currentTarget.checked)}
              />
              {names[part]}
            </label>
            <Move name={`${texts.up} ${names[part]}`} icon="up" isEnd={index === 0} onMove={() => setParts(moved(parts, index, -1))} />
            <Move
              name={`${texts.down} ${names[part]}`}
              icon="down"
              isEnd={index === parts.length - 1}
              onMove={() => setParts(moved(parts, index, 1))}
            />
          </li>
        ))}
      </ul>
      {error && <Notice kind="error">{error.message}</Notice>}
      <button type="button" class="button" disabled={isRunning} onClick={() => void save()}>
        {texts.save}
      </button>
    </Dialog>
  );
}

interface MoveProps {
  name: string;
  icon: "up" | "down";
  isEnd: boolean;
  onMove: () => void;
}

/** At the end it stays, so that the focus does. */
function Move({ name, icon, isEnd, onMove }: MoveProps) {
  return (
    <button type="button" class="button-icon" aria-label={name} aria-disabled={isEnd} onClick={() => isEnd || onMove()}>
      <Icon name={icon} />
    </button>
  );
}

function moved(parts: Arranged[], index: number, by: number): Arranged[] {
  const others = parts.filter((_, at) => at !== index);
  return [...others.slice(0, index + by), parts[index] as Arranged, ...others.slice(index + by)];
}
