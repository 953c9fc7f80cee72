import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import { useEffect, useRef } from "preact/hooks";
import { inLanguage } from "../lib/language";
import { Icon } from "../ui/icon";
import { goBack } from "./way_back";

const texts = inLanguage({ en: { back: "Back" }, sv: { back: "Tillbaka" } });

interface Props {
  title: string;
  /** Where the arrow leads, on pages below another, unless there is a page before. */
  back?: string | undefined;
  /** Beside the heading: buttons of the page. */
  actions?: ComponentChildren;
  children: ComponentChildren;
  class?: string;
}

/** A page: its title in the tab, its heading, and the focus on the heading after a change of page. */
export function Page({ title, back, actions, children, class: name = "" }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { path } = useLocation();
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    // Not on the first page, where a screen reader begins at the top by itself.
    if (pagesShown++ > 0 && !document.querySelector("dialog[open]")) heading.current?.focus({ preventScroll: true });
  }, [path]);
  return (
    <div class={`page ${name}`}>
      <header class="page-head">
        {back && (
          <a class="button-icon" href={back} aria-label={texts.back} onClick={goBack}>
            <Icon name="back" />
          </a>
        )}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions && <div class="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

let pagesShown = 0;
