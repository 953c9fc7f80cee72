/** The icons of the editor's tools, in the lines of ui/icon.tsx. */

const PATHS = {
  undo: "M8 5L4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11H9",
  redo: "M16 5l4 4-4 4M20 9H10a5.5 5.5 0 0 0 0 11h5",
  bold: "M8 5h5.5a3.5 3.5 0 0 1 0 7H8zM8 12h6.5a3.5 3.5 0 0 1 0 7H8z",
  italic: "M10 5h7M7 19h7M14 5l-4 14",
  underline: "M7 4v7a5 5 0 0 0 10 0V4M6 20h12",
  strike: "M4 12h16M16 7.5C15.5 6 14 5 12 5 7.5 5 7 9.5 10 11M8 16.5c.5 1.5 2 2.5 4 2.5 3.5 0 4.7-2.8 3.5-5",
  heading1: "M4 6v12M11 6v12M4 12h7M16 9.5l2.5-1.5v10",
  heading2: "M4 6v12M11 6v12M4 12h7M15 10.2c0-3 5-3 5 0 0 2.3-5 4.3-5 7.8h5",
  heading3: "M4 6v12M11 6v12M4 12h7M15 8.5h5l-3 3.5c4 0 4 6 0 6-1 0-1.7-.3-2.3-1",
  bulletList: "M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01",
  orderedList: "M10 6h10M10 12h10M10 18h10M4 5l1.3-.7V9M3.8 15.5c.3-1.3 2.7-1.2 2.5.2-.1 1-2.3 2.3-2.5 3.3h2.7",
  taskList: "M3.5 6.5L5 8l3-3.5M3.5 16.5L5 18l3-3.5M12 7h8M12 17h8",
  link: "M9.5 14.5l5-5M11 8l2-2a3.5 3.5 0 0 1 5 5l-2 2M13 16l-2 2a3.5 3.5 0 0 1-5-5l2-2",
  highlight: "M9 14L17 5l3 3-8 9zM9 14l3 3-2 2H6l3-5M4 21h16",
  quote: "M5 16c2.5-.5 4-2.3 4-5V7H5v5h4M14 16c2.5-.5 4-2.3 4-5V7h-4v5h4",
  code: "M9 7l-5 5 5 5M15 7l5 5-5 5",
  codeBlock: "M4 5h16v14H4zM10 9.5L7.5 12l2.5 2.5M14 9.5l2.5 2.5-2.5 2.5",
  table: "M4 5h16v14H4zM4 10h16M4 14.5h16M12 5v14",
  subscript: "M4 6l8 10M12 6L4 16M16 16.3c0-2.2 4-2.2 4 0 0 1.6-4 2.7-4 4.7h4",
  superscript: "M4 8l8 10M12 8L4 18M16 4.3c0-2.2 4-2.2 4 0C20 5.9 16 7 16 9h4",
  alignLeft: "M4 6h16M4 12h10M4 18h13",
  alignCenter: "M4 6h16M7 12h10M5.5 18h13",
  alignRight: "M4 6h16M10 12h10M7 18h13",
  addRow: "M4 4h16v8H4zM12 4v8M12 15v6M9 18h6",
  addColumn: "M4 4h8v16H4zM4 12h8M15 12h6M18 9v6",
  removeRow: "M4 4h16v8H4zM12 4v8M9 18h6",
  removeColumn: "M4 4h8v16H4zM4 12h8M15 12h6",
  removeTable: "M13 19H4V5h16v8M4 10h16M12 5v8M16 16l5 5M21 16l-5 5",
} as const;

export type ToolIconName = keyof typeof PATHS;

export function ToolbarIcon({ name }: { name: ToolIconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
