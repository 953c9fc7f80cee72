import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { inLanguage } from "../lib/language";
import { Icon } from "./icon";

const texts = inLanguage({ en: { close: "Close" }, sv: { close: "Stäng" } });

interface Props {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

/**
 * A modal dialog: at the bottom of a phone, in the middle of a larger screen. Escape closes it. It begins
 * at the control with `autofocus`, or else at its heading.
 */
export function Dialog({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useEffect(() => {
    const opened = document.activeElement;
    dialog.current?.showModal();
    const first = dialog.current?.querySelector<HTMLElement>("[autofocus]") ?? heading.current;
    first?.focus();
    return () => (opened instanceof HTMLElement ? opened.focus() : undefined);
  }, []);
  // Removed at once: a `close` event comes late enough to close what was opened meanwhile.
  const cancel = (event: Event) => {
    event.preventDefault();
    onClose();
  };
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      onCancel={cancel}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div class="dialog-content">
        <header class="dialog-head">
          <h2 ref={heading} id={id} tabIndex={-1}>
            {title}
          </h2>
          <button type="button" class="button-icon" aria-label={texts.close} onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
