import type { Editor } from "@tiptap/core";
import { useState } from "preact/hooks";
import { inLanguage } from "../lib/language";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { addressFrom } from "./link_address";

const texts = inLanguage({
  en: {
    title: "Link",
    address: "Address",
    hint: "A web page or an e-mail address",
    wrong: "This is not the address of a web page or an e-mail address.",
    save: "Save",
    remove: "Remove the link",
  },
  sv: {
    title: "Länk",
    address: "Adress",
    hint: "En webbsida eller en e-postadress",
    wrong: "Det här är inte adressen till en webbsida eller en e-postadress.",
    save: "Spara",
    remove: "Ta bort länken",
  },
});

/** Asks where the selected text leads. Without selected text, the address itself is inserted. */
export function LinkDialog({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const current = String(editor.getAttributes("link")["href"] ?? "");
  const [text, setText] = useState(current);
  const [isWrong, setWrong] = useState(false);
  const save = (event: Event) => {
    event.preventDefault();
    const href = addressFrom(text);
    if (!href) return setWrong(true);
    const link = { type: "text", text: text.trim(), marks: [{ type: "link", attrs: { href } }] };
    if (current || !editor.state.selection.empty) editor.chain().extendMarkRange("link").setLink({ href }).run();
    else editor.commands.insertContent(link);
    onClose();
  };
  const remove = () => {
    editor.chain().extendMarkRange("link").unsetLink().run();
    onClose();
  };
  return (
    <Dialog title={texts.title} onClose={onClose}>
      {/* The browser would demand the scheme of an address. */}
      <form class="form" noValidate onSubmit={save}>
        <Field label={texts.address} hint={texts.hint} errors={isWrong ? [texts.wrong] : undefined}>
          {(attributes) => (
            <input
              {...attributes}
              type="url"
              autofocus
              placeholder="example.org"
              value={text}
              onInput={(event) => {
                setText(event.currentTarget.value);
                setWrong(false);
              }}
            />
          )}
        </Field>
        <div class="button-row">
          <button class="button">{texts.save}</button>
          {current && (
            <button type="button" class="button-quiet" onClick={remove}>
              {texts.remove}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  );
}
