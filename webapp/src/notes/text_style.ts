import { Mark } from "@tiptap/core";
import { isAccepted } from "./document";

const PROPERTIES = {
  color: "color",
  backgroundColor: "background-color",
  fontFamily: "font-family",
  fontSize: "font-size",
  lineHeight: "line-height",
} as const;
type Name = keyof typeof PROPERTIES;
const NAMES = Object.keys(PROPERTIES) as Name[];

/**
 * Colours and fonts that other programs gave to a text. They survive, also when the text is copied
 * within notes; what is pasted from elsewhere takes the colours of this app.
 */
export const TextStyle = Mark.create({
  name: "textStyle",
  addAttributes() {
    return Object.fromEntries(NAMES.map((name) => [name, { default: null, rendered: false }]));
  },
  parseHTML() {
    return [{ tag: "span[data-text-style]", getAttrs: (span) => stylesIn(span.dataset["textStyle"]) }];
  },
  renderHTML({ mark }) {
    return ["span", { "data-text-style": JSON.stringify(mark.attrs), style: cssOf(mark.attrs) }, 0];
  },
});

function stylesIn(text = ""): Record<string, unknown> | false {
  try {
    const styles = Object.entries(JSON.parse(text) as object);
    return Object.fromEntries(styles.filter(([name, value]) => isAccepted("textStyle", name, value)));
  } catch {
    return false;
  }
}

function cssOf(styles: Record<string, unknown>): string {
  const declarations = NAMES.map((name) => [PROPERTIES[name], readable(name, String(styles[name] ?? ""))] as const);
  // One value of one property: a font name must not bring other declarations with it.
  return declarations.filter(([property, value]) => value && CSS.supports(property, value)).map(join).join(";");
}

const join = ([property, value]: readonly [string, string]): string => `${property}:${value}`;

/** A colour that can be read in both themes: chosen for white paper, it is brighter in the dark one. */
export function readable(name: Name, value: string): string {
  if (!value || !CSS.supports("color", value)) return value;
  if (name === "color") return `light-dark(${value}, color-mix(in oklab, ${value} 45%, white))`;
  if (name === "backgroundColor") return `light-dark(${value}, color-mix(in oklab, ${value} 40%, black))`;
  return value;
}
