/**
 * Lists that Word puts on the clipboard: paragraphs whose style names the list and the level ("mso-list: l0
 * level1 lfo1"), with the number or the dot as text in a part that readers should ignore.
 */

const LEVEL = /mso-list:\s*l\d+\s+level(\d)/i;
const NUMBER = /^[\da-z]{1,4}[.)]/i;

interface Open {
  list: HTMLElement;
  level: number;
}

/** Makes lists of them, in place. */
export function listsOfWord(body: HTMLElement): void {
  let open: Open[] = [];
  let last: Element | null = null;
  for (const paragraph of [...body.querySelectorAll<HTMLElement>("p[style*='mso-list']")]) {
    const level = Number(LEVEL.exec(paragraph.getAttribute("style") ?? "")?.[1] ?? 0);
    if (!level) continue;
    if (paragraph.previousElementSibling !== last) open = [];
    open = open.filter((each) => each.level <= level);
    const isNumbered = NUMBER.test(takeMarker(paragraph));
    const deepest = open.at(-1);
    let list = deepest?.level === level ? deepest.list : undefined;
    if (!list) {
      list = body.ownerDocument.createElement(isNumbered ? "ol" : "ul");
      if (deepest?.list.lastElementChild) deepest.list.lastElementChild.append(list);
      else paragraph.before(list);
      open.push({ list, level });
    }
    const item = body.ownerDocument.createElement("li");
    const text = body.ownerDocument.createElement("p");
    text.append(...paragraph.childNodes);
    item.append(text);
    list.append(item);
    paragraph.remove();
    last = open[0]?.list ?? null;
  }
}

/** Removes the number or the dot, and returns it. */
function takeMarker(paragraph: HTMLElement): string {
  const marker = [...paragraph.querySelectorAll<HTMLElement>("span[style*='mso-list']")].find((each) =>
    /ignore/i.test(each.getAttribute("style") ?? ""),
  );
  const text = marker?.textContent?.trim() ?? "";
  marker?.remove();
  return text;
}
