/** What guardians come for: above the first page, and first in the menu. */

import { inLanguage } from "../lib/language";
import { useFeatures } from "./features";

const texts = inLanguage({
  en: { often: "For guardians", results: "Results", todo: "Not handed in", attendance: "Attendance", calendar: "Calendar in your phone" },
  sv: { often: "För vårdnadshavare", results: "Resultat", todo: "Inte inlämnat", attendance: "Närvaro", calendar: "Kalender i telefonen" },
});

export const FOR_GUARDIANS = ["results", "todo", "attendance", "calendar"] as const;

/** Links to the pages that show all children together, and to the calendar. */
export function ForGuardians() {
  const { has } = useFeatures();
  const shown = FOR_GUARDIANS.filter((each) => (each !== "results" && each !== "attendance") || has(each));
  return (
    <nav class="button-row" aria-label={texts.often}>
      {shown.map((each) => (
        <a key={each} class="button button-quiet" href={`/app/${each}`}>
          {texts[each]}
        </a>
      ))}
    </nav>
  );
}
