/** What a new passphrase of an encrypted group has to be. */

import { inLanguage } from "../lib/language";

const texts = inLanguage({
  en: { short: "At least 12 characters.", differs: "The two are not the same." },
  sv: { short: "Minst 12 tecken.", differs: "De två är inte lika." },
});

const SHORTEST = 12;

/** What is wrong with a new passphrase that was typed twice. */
export function faultOf(passphrase: string, again: string): string | undefined {
  if (passphrase.trim().length < SHORTEST) return texts.short;
  return passphrase.trim() === again.trim() ? undefined : texts.differs;
}
