import { Extension } from "@tiptap/core";
import { DOMParser, type Slice } from "@tiptap/pm/model";
import { Plugin, Selection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { listsOfWord } from "./word_lists";
import { inertDocument } from "../lib/trusted_types";

/**
 * Takes in HTML that is pasted, or dropped from elsewhere. ProseMirror would parse it under a name
 * that the page's policy does not trust; here it goes through as a text whose parser is ours.
 */
export const PasteHtml = Extension.create({
  name: "pasteHtml",
  addProseMirrorPlugins() {
    const parser = DOMParser.fromSchema(this.editor.schema);
    let pasted: HTMLElement | undefined;
    const take = (view: EditorView, event: Event, data: DataTransfer | null): boolean => {
      const html = data?.getData("text/html");
      if (!html || view.state.selection.$from.parent.type.spec.code) return false;
      event.preventDefault();
      pasted = bodyOf(html);
      view.pasteText(data?.getData("text/plain") || " ", new ClipboardEvent("paste"));
      pasted = undefined;
      return true;
    };
    return [
      new Plugin({
        props: {
          handleDOMEvents: {
            paste: (view, event) => take(view, event, event.clipboardData),
            drop(view, event) {
              if (view.dragging || !event.dataTransfer?.getData("text/html")) return false;
              const target = view.posAtCoords({ left: event.clientX, top: event.clientY });
              if (!target) return false;
              const { doc, tr } = view.state;
              view.dispatch(tr.setSelection(Selection.near(doc.resolve(target.pos))));
              return take(view, event, event.dataTransfer);
            },
          },
          // Without HTML, `null` leaves the text to ProseMirror, whose types do not know that.
          clipboardTextParser: (_text, context) =>
            (pasted ? parser.parseSlice(pasted, { context, preserveWhitespace: isOwn(pasted) }) : null) as Slice,
        },
      }),
    ];
  },
});

/** What was copied from a note has its spaces as they were written. */
const isOwn = (body: HTMLElement): boolean => body.querySelector("[data-pm-slice]") !== null;

function bodyOf(html: string): HTMLElement {
  const { body } = inertDocument(html);
  listsOfWord(body);
  // Browsers end what they copy, and empty paragraphs, with a line break that is not meant.
  for (const each of body.querySelectorAll("br")) if (!each.nextSibling && isBlock(each.parentNode)) each.remove();
  // The policy blocks style attributes here too, but they say what is bold.
  for (const each of body.querySelectorAll<HTMLElement>("[style]")) {
    each.style.cssText = each.getAttribute("style") ?? "";
  }
  return body;
}

const isBlock = (node: Node | null): boolean => /^(body|p|div|li|t[dh]|h[1-6]|blockquote)$/i.test(node?.nodeName ?? "");
