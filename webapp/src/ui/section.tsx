import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Props {
  title: string;
  link?: { href: string; name: string };
  children: ComponentChildren;
}

/** A part of a page with a heading, and perhaps a link to more of it. */
export function Section({ title, link, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div class="section-head">
        <h2 id={id}>{title}</h2>
        {link && <a href={link.href}>{link.name}</a>}
      </div>
      {children}
    </section>
  );
}
