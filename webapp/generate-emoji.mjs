/** Write the emoji that can be chosen, with their names and words in each language: node generate-emoji.mjs */
import { readFile, writeFile } from "node:fs/promises";

// Of the Unicode standard. What is newer, many systems draw as an empty box.
const NEWEST = 15.1;
// Groups of emojibase that hold no emoji by themselves: shades of skin and hair.
const COMPONENT = 2;

const read = async (name) => JSON.parse(await readFile(`node_modules/emojibase-data/${name}.json`, "utf8"));

for (const language of ["en", "sv"]) {
  const all = await read(`${language}/data`);
  const { groups } = await read(`${language}/messages`);
  const shown = groups.filter(({ order }) => order !== COMPONENT);
  const rows = shown.map(({ order }) => all.filter(({ group, version }) => group === order && version <= NEWEST).map(row));
  await writeFile(`src/emoji/emoji_${language}.json`, JSON.stringify(rows));
}

/** The emoji, its name, words to find it by, and whether `withTone` of `emoji.ts` makes all its tones. */
function row({ emoji, label, tags = [], skins = [] }) {
  const tones = skins.filter(({ tone }) => typeof tone === "number");
  const isToned = tones.length > 0 && tones.every(({ emoji: toned, tone }) => fullyQualified(toned) === withTone(emoji, tone));
  return [fullyQualified(emoji), label, tags.join(" "), isToned ? 1 : 0];
}

function withTone(emoji, tone) {
  const [first, ...rest] = emoji;
  return first + String.fromCodePoint(0x1f3fa + tone) + rest.join("").replace(/^\ufe0f/, "");
}

/** As the service stores it: the data asks for a picture of what is one anyway. */
function fullyQualified(emoji) {
  return emoji.replace(/(\p{Emoji_Presentation})\ufe0f/gu, "$1");
}
