/** Levels and reviews that the school's system names with a code, in words. */

import { inLanguage } from "../lib/language";

const words: Record<string, string> = inLanguage<Record<string, string>>({
  en: {
    NOT_ASSESSED: "Not assessed",
    NOT_AVAILABLE: "Not available",
    NOT_REPORTED: "Not reported",
    NO_STATUS: "No status",
    ON_THE_WAY: "On the way",
  },
  sv: {
    NOT_ASSESSED: "Inte bedömt",
    NOT_AVAILABLE: "Finns inte",
    NOT_REPORTED: "Inte rapporterat",
    NO_STATUS: "Ingen status",
    ON_THE_WAY: "På väg",
  },
});

/** What is no code, or one that nobody knows, stays as it is. */
export function inWords(level: string): string {
  return Object.hasOwn(words, level) ? (words[level] ?? level) : level;
}
