import { inLanguage } from "../lib/language";
import { Avatar } from "../ui/avatar";
import { Notice } from "../ui/notice";
import { children, chooseChild, currentChild, isGuardian } from "./child";

const texts = inLanguage({
  en: { whose: "You see what belongs to", choose: "Choose a child", none: "The school names no child of yours." },
  sv: { whose: "Du ser det som gäller", choose: "Välj ett barn", none: "Skolan anger inget barn för dig." },
});

/** For guardians, above everything about the school: whose data it is, and the other children. */
export function ChildChooser() {
  if (!isGuardian()) return null;
  const all = children();
  if (all.length === 0) return <NoChild />;
  const current = currentChild();
  return (
    <fieldset class="child-chooser">
      <legend>{current ? texts.whose : texts.choose}</legend>
      {all.map((child) => (
        <button
          key={child.id}
          type="button"
          aria-pressed={child.id === current?.id}
          onClick={() => chooseChild(child.id)}
        >
          <Avatar name={child.name} small />
          {child.name}
        </button>
      ))}
    </fieldset>
  );
}

/** In place of everything about the school, for a guardian without children. */
export const NoChild = () => <Notice kind="warning">{texts.none}</Notice>;

export const lacksChild = (): boolean => isGuardian() && children().length === 0;

/** Whether there is somebody whose data can be asked for: not while a guardian of several has not chosen. */
export const isChildKnown = (): boolean => !isGuardian() || currentChild() !== undefined;
