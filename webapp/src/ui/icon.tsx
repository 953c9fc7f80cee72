/** The app's icons: 24 units wide, drawn with a line of the text's colour. */

const PATHS = {
  add: "M12 5v14M5 12h14",
  archive: "M4 8v11h16V8M3 4h18v4H3zM10 12h4",
  attach: "M8 12.5 14.5 6a3 3 0 0 1 4.3 4.3l-8.5 8.4a5 5 0 0 1-7-7L11 4",
  back: "M15 5l-7 7 7 7",
  bell: "M6 10a6 6 0 0 1 12 0c0 6 2 7 2 7H4s2-1 2-7M10 20.5a2.2 2.2 0 0 0 4 0",
  block: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M5.6 5.6l12.8 12.8",
  book: "M5 4h11a3 3 0 0 1 3 3v13H7a2 2 0 0 1-2-2zM5 18a2 2 0 0 1 2-2h12",
  calendar: "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4",
  chat: "M4 5h16v11H10l-5 4v-4H4z",
  check: "M5 12.5l4.5 4.5L19 7.5",
  close: "M6 6l12 12M18 6L6 18",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  down: "M6 9l6 6 6-6",
  edit: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  flag: "M6 21V4h11l-2 4 2 4H6",
  forward: "M9 5l7 7-7 7",
  group: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2.5 20c0-4 3-6 6.5-6s6.5 2 6.5 6M16 4.5a3.5 3.5 0 0 1 0 6.3M18 14.3c2.3.8 3.5 2.7 3.5 5.7",
  home: "M4 11l8-7 8 7v9h-5v-6H9v6H4z",
  image: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9.5h.01",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  lunch: "M7 3v7a2 2 0 0 0 2 2v9M11 3v7a2 2 0 0 1-2 2M9 3v6M16 21v-7M16 14c-2 0-2-2-2-5s1-6 3-6v11z",
  menu: "M4 7h16M4 12h16M4 17h16",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  news: "M4 5h13v14H6a2 2 0 0 1-2-2zM17 9h3v8a2 2 0 0 1-3 1.7M7 9h7M7 13h7M7 16h4",
  note: "M6 3h9l4 4v14H6zM14 3v5h5M9 13h7M9 17h5",
  people: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4.5 21c0-4.5 3.5-7 7.5-7s7.5 2.5 7.5 7",
  pin: "M9 4h6l-1 6 3 3H7l3-3zM12 13v7",
  reply: "M10 6l-6 5 6 5v-3c5 0 8 1 10 5 0-6-4-10-10-10z",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M15.5 15.5L20 20",
  send: "M4 12l16-8-5 16-3-7z",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M9 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5",
  share: "M12 15V4M8 7.5L12 3.5l4 4M5 12v8h14v-8",
  smile: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M8.5 14.5c1.5 2.5 5.5 2.5 7 0M9 9.5h.01M15 9.5h.01",
  trash: "M5 7h14M10 4h4M7 7l1 13h8l1-13M10 11v6M14 11v6",
  up: "M6 15l6-6 6 6",
  warning: "M12 4l9 16H3zM12 10v4.5M12 17h.01",
} as const;

export type IconName = keyof typeof PATHS;

/** Decoration beside a text, or the only content of a button that has a label. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
