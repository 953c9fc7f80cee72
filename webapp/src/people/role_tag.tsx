import type { Schemas } from "../api/client";
import { inLanguage } from "../lib/language";

const texts = inLanguage({
  en: { student: "Pupil", teacher: "Adult: teacher", guardian: "Adult: guardian" },
  sv: { student: "Elev", teacher: "Vuxen: lärare", guardian: "Vuxen: vårdnadshavare" },
});

/** Says who is a pupil and who is an adult. */
export function RoleTag({ role }: { role: Schemas["Role"] }) {
  return <span class={role === "student" ? "tag" : "tag tag-warn"}>{texts[role]}</span>;
}
