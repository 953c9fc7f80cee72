/** Searching names as the service does (`accounts/name_comparison.py`): whichever keyboard it is typed on. */

const LETTERS: Record<string, string> = {
  ß: "ss", ø: "o", æ: "ae", œ: "oe", đ: "d", ð: "d", ł: "l", ı: "i", þ: "th", ħ: "h",
};
const BETWEEN_WORDS = /['’‘‛ʼʹʻʾʿ′`´＇‵\-‐‑‒–—―−﹣－⁃\u00ad]/gu;

/** The text without case and accents, its hyphens and apostrophes as spaces. */
export function folded(text: string): string {
  const plain = text.replace(BETWEEN_WORDS, " ").normalize("NFKD").toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
  return plain.replace(/[ßøæœđðłıþħ]/gu, (letter) => LETTERS[letter] ?? letter).trim().replace(/\s+/gu, " ");
}

/** Tells whether a name has each of the words in it, in any order. */
export function nameSearch(wanted: string): (name: string) => boolean {
  const words = folded(wanted).split(" ");
  return (name) => {
    const inName = folded(name);
    return words.every((word) => inName.includes(word));
  };
}
