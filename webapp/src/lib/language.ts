/**
 * The language of the app: what the person chose, else the browser's first choice of the two.
 *
 * Texts stand beside the component that shows them: `inLanguage({ en: {...}, sv: {...} })`. The
 * compiler sees that both have the same keys. A change of language reloads the page.
 */

export type Language = "en" | "sv";

function chosen(): Language {
  const wanted = [localStorage.getItem("language"), ...navigator.languages];
  const known = wanted.map((each) => each?.slice(0, 2)).find((each) => each === "sv" || each === "en");
  return known === "sv" ? "sv" : "en";
}

export const language: Language = chosen();
/** For dates and numbers. British dates, because Sweden too writes the day before the month. */
export const locale = language === "sv" ? "sv-SE" : "en-GB";

export function inLanguage<Texts>(both: { en: Texts; sv: NoInfer<Texts> }): Texts {
  return both[language];
}

export function changeLanguage(wanted: Language): void {
  localStorage.setItem("language", wanted);
  location.reload();
}
