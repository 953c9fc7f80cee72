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

/** A modal dialog: at the bottom of a phone, in the middle of a larger screen. Escape closes it. */
export function Dialog({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opened = document.activeElement;
    dialog.current?.showModal();
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
          <h2 id={id}>{title}</h2>
          <button type="button" class="button-icon" aria-label={texts.close} onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
