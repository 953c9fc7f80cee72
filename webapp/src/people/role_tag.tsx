import { roleNames, type Role } from "./naming";

/** Says who is a pupil and who is an adult. */
export function RoleTag({ role }: { role: Role }) {
  return <span class={role === "student" ? "tag" : "tag tag-warn"}>{roleNames[role]}</span>;
}
