import { Editor, getSchema } from "@tiptap/core";
import { Selection, type EditorState } from "@tiptap/pm/state";
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { inLanguage } from "../lib/language";
import { acceptedDocument } from "./document";
import { EXTENSIONS } from "./extensions";
import type { RichText } from "./note";

const texts = inLanguage({
  en: { note: "Note", placeholder: "Write here …" },
  sv: { note: "Anteckning", placeholder: "Skriv här …" },
});

export interface EditorInPage {
  holder: RefObject<HTMLDivElement | null>;
  /** `null` when the document has something that the editor does not know, and would lose. */
  editor: Editor | null | undefined;
  /** Another object after each change of the text or the selection. */
  state: EditorState | undefined;
}

/** An editor in the `holder`. `onChange` gets the document, which is made when it is needed. */
export function useEditor(document: RichText, onChange: (read: () => RichText) => void): EditorInPage {
  const holder = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor | null>();
  const [state, setState] = useState<EditorState>();
  useEffect(() => {
    if (!isKnown(document)) return setEditor(null);
    const made = new Editor({
      element: holder.current,
      extensions: EXTENSIONS,
      content: document,
      injectCSS: false, // the page's policy allows no style elements
      editorProps: { attributes: ATTRIBUTES, handleClick: writeBelow },
      onUpdate({ editor: { state } }) {
        onChange(once(() => acceptedDocument(state.doc.toJSON())));
      },
      onTransaction: ({ editor: { state } }) => setState(state),
    });
    setEditor(made);
    return () => made.destroy();
  }, []);
  return { holder, editor, state };
}

const ATTRIBUTES = {
  class: "rich-text note-text",
  role: "textbox",
  "aria-multiline": "true",
  "aria-label": texts.note,
  "data-placeholder": texts.placeholder,
};

function isKnown(document: RichText): boolean {
  try {
    getSchema(EXTENSIONS).nodeFromJSON(document).check();
    return true;
  } catch {
    return false;
  }
}

type HandleClick = NonNullable<NonNullable<Editor["options"]["editorProps"]>["handleClick"]>;

/** A tap below a table or a block of code at the end begins a paragraph there. */
const writeBelow: HandleClick = (view, _position, event) => {
  const { lastChild, content } = view.state.doc;
  const last = view.dom.lastElementChild;
  if (!last || event.target !== view.dom || event.clientY < last.getBoundingClientRect().bottom) return false;
  if (!lastChild || lastChild.type.name === "paragraph") return false;
  const paragraph = view.state.schema.nodes["paragraph"]?.create();
  if (!paragraph) return false;
  const change = view.state.tr.insert(content.size, paragraph);
  view.dispatch(change.setSelection(Selection.atEnd(change.doc)).scrollIntoView());
  view.focus();
  return true;
};

function once<Result>(make: () => Result): () => Result {
  let made: { result: Result } | undefined;
  return () => (made ??= { result: make() }).result;
}
