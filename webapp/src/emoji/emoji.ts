/** All emoji with their names in the language of the app, and what the person has chosen before. */

import { keepCopy, readCopy } from "../device/store";
import { language } from "../lib/language";
import { folded } from "../lib/name_search";

/** Written by `generate-emoji.mjs`. */
type Row = [emoji: string, name: string, words: string, isToned: 0 | 1];

export interface Emoji {
  emoji: string;
  name: string;
  /** Folded, with a space before each word. */
  foldedName: string;
  foldedWords: string;
  /** Whether it is drawn with different tones of skin. */
  isToned: boolean;
}

/** The groups of emoji, from a file of its own. */
export async function loadEmoji(): Promise<Emoji[][]> {
  const file = await (language === "sv" ? import("./emoji_sv.json") : import("./emoji_en.json"));
  return (file.default as unknown as Row[][]).map((rows) =>
    rows.map(([emoji, name, words, isToned]) => ({
      emoji,
      name,
      foldedName: ` ${folded(name)}`,
      foldedWords: ` ${folded(words)} ${emoji}`,
      isToned: isToned === 1,
    })),
  );
}

const MOST_RESULTS = 96;

/** Those that have all of these words: first in their names, then in what else they are found by. */
export function findEmoji(groups: Emoji[][], wanted: string): Emoji[] {
  const text = folded(wanted);
  const words = text.split(" ");
  const all = groups.flat();
  const begins = (names: string) => words.every((word) => names.includes(` ${word}`));
  const exactly = all.filter(({ foldedName }) => foldedName === ` ${text}`);
  const byName = all.filter(({ foldedName }) => begins(foldedName));
  const byWord = all.filter(({ foldedName, foldedWords }) => begins(foldedName + foldedWords));
  const within = all.filter(({ foldedName, foldedWords }) => words.every((word) => (foldedName + foldedWords).includes(word)));
  return [...new Set([...exactly, ...byName, ...byWord, ...within])].slice(0, MOST_RESULTS);
}

/** The emoji in a tone of skin: 1 is the lightest, 5 the darkest, 0 none. */
export function withTone({ emoji, isToned }: Emoji, tone: number): string {
  if (!isToned || tone === 0) return emoji;
  const [first = "", ...rest] = emoji;
  return first + String.fromCodePoint(0x1f3fa + tone) + rest.join("").replace(/^\ufe0f/, "");
}

const plain = (emoji: string): string => emoji.replace(/[\u{1f3fb}-\u{1f3ff}\ufe0f]/gu, "");

/** These emoji with their names. What is unknown here is left out. */
export function named(groups: Emoji[][], wanted: string[]): { emoji: string; name: string }[] {
  const names = new Map(groups.flat().map(({ emoji, name }) => [plain(emoji), name]));
  return wanted.flatMap((emoji) => {
    const name = names.get(plain(emoji));
    return name === undefined ? [] : [{ emoji, name }];
  });
}

export interface Choices {
  /** Those chosen last, the newest first. */
  recent: string[];
  tone: number;
}

const NAME = "emoji";
const MOST_RECENT = 12;

export async function readChoices(): Promise<Choices> {
  return (await readCopy<Choices>(NAME))?.data ?? { recent: [], tone: 0 };
}

export const keepTone = async (tone: number): Promise<void> => keepCopy(NAME, { ...(await readChoices()), tone });

export async function keepRecent(emoji: string): Promise<void> {
  const { recent, tone } = await readChoices();
  await keepCopy(NAME, { recent: [emoji, ...recent.filter((older) => older !== emoji)].slice(0, MOST_RECENT), tone });
}
