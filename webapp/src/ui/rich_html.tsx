import { Fragment, h, type ComponentChild } from "preact";
import { inertDocument } from "../lib/trusted_types";

/** Elements that are drawn; of any other, only what is in it. */
const ELEMENTS = new Set(
  (
    "p div br strong b em i u s strike del ins small mark q code kbd sub sup ul ol li dl dt dd blockquote pre " +
    "figure figcaption h3 h4 h5 h6 table caption thead tbody tfoot tr th td hr"
  ).split(" "),
);
/** The attributes without which cells or list items would say something else, and their values. */
const COUNT = /^[1-9]\d{0,2}$/;
const SPANS = { colspan: COUNT, rowspan: COUNT };
const ATTRIBUTES: Record<string, Record<string, RegExp>> = {
  ol: { start: /^-?\d{1,6}$/, type: /^[1aAiI]$/, reversed: /^$/ },
  th: { ...SPANS, scope: /^(col|row|colgroup|rowgroup)$/ },
  td: SPANS,
};
const LEFT_OUT = new Set("script style template iframe object".split(" "));

/**
 * The school's own HTML, which the service has sanitised. It is drawn from an inert document, so
 * that even a mistake of the service could not bring in a script or a request to a third party:
 * pictures become links, but for those that the service itself hands out.
 */
export function RichHtml({ html }: { html: string }) {
  return <div class="rich-text">{childrenOf(inertDocument(html).body)}</div>;
}

const childrenOf = (node: Node): ComponentChild[] => [...node.childNodes].map(draw);

function draw(node: Node): ComponentChild {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (!(node instanceof Element)) return null;
  const name = node.localName;
  if (LEFT_OUT.has(name)) return null;
  if (name === "img") return picture(node.getAttribute("src"), node.getAttribute("alt") ?? "");
  if (name === "a") return link(node.getAttribute("href"), childrenOf(node));
  if (/^h[12]$/.test(name)) return h("h3", null, childrenOf(node));
  if (!ELEMENTS.has(name)) return h(Fragment, null, childrenOf(node));
  return h(name, attributesOf(node), ...childrenOf(node));
}

function attributesOf(element: Element): Record<string, string | boolean> {
  const kept = Object.entries(ATTRIBUTES[element.localName] ?? {}).flatMap(([name, values]) => {
    const value = element.getAttribute(name)?.trim();
    return value !== undefined && values.test(value) ? [[name, value || true] as const] : [];
  });
  return Object.fromEntries(kept);
}

function picture(address: string | null, name: string): ComponentChild {
  return address?.startsWith(`${location.origin}/api/`) ? h("img", { src: address, alt: name, loading: "lazy" }) : link(address, name || "↗");
}

function link(address: string | null, content: ComponentChild | ComponentChild[]): ComponentChild {
  if (!address || !/^(https?:|mailto:)/i.test(address)) return h(Fragment, null, content);
  return h("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, content);
}
