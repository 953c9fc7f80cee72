import { Mark, markInputRule } from "@tiptap/core";

/** Code within a line. Unlike that of TipTap it can be bold, because it can be so in the API. */
export const CodeMark = Mark.create({
  name: "code",
  code: true,
  exitable: true,
  parseHTML: () => [{ tag: "code" }],
  renderHTML: () => ["code", 0],
  addInputRules() {
    return [markInputRule({ find: /(?<!`)(`([^`]+)`)(?!`)$/, type: this.type })];
  },
  addKeyboardShortcuts() {
    return { "Mod-e": () => this.editor.commands.toggleMark("code") };
  },
});
