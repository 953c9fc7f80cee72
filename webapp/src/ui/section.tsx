import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Props {
  title: string;
  links?: { href: string; name: string }[];
  children: ComponentChildren;
}

/** A part of a page with a heading, and perhaps links to more of it. */
export function Section({ title, links = [], children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div class="section-head">
        <h2 id={id}>{title}</h2>
        {links.length > 0 && (
          <div class="section-links">
            {links.map(({ href, name }) => (
              <a key={href} href={href}>
                {name}
              </a>
            ))}
          </div>
        )}
      </div>
      {children}
    </section>
  );
}
