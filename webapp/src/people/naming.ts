/**
 * How people are named, so that nobody passes for somebody else: a display name is chosen freely, so
 * the name at school stands beside it where it reads differently, adults are marked, and where two in
 * view have the same name, their public names stand there too.
 */

import type { Schemas } from "../api/client";
import { inLanguage } from "../lib/language";

export type Role = Schemas["Role"];

export const roleNames: Record<Role, string> = inLanguage<Record<Role, string>>({
  en: { student: "Pupil", teacher: "Adult: teacher", guardian: "Adult: guardian" },
  sv: { student: "Elev", teacher: "Vuxen: lärare", guardian: "Vuxen: vårdnadshavare" },
});

/** Somebody as they are shown. `realName` only where the display name reads differently. */
export interface Named {
  username: string;
  name: string;
  realName?: string | null | undefined;
  role?: Role | undefined;
}

export const isAdult = (role: Role | undefined): boolean => role !== undefined && role !== "student";

/** The usernames of those who share a name with another of these people. */
export function namesakes(people: Named[]): ReadonlySet<string> {
  const owners = new Map<string, Set<string>>();
  for (const { username, name, realName } of people) {
    for (const each of [name, realName]) if (each) owners.set(folded(each), (owners.get(folded(each)) ?? new Set()).add(username));
  }
  return new Set([...owners.values()].filter(({ size }) => size > 1).flatMap((usernames) => [...usernames]));
}

/** In one line: "Bosse (Bo Ek, bo.ek, Adult: teacher)". Everything but the name only where it is needed. */
export function inOneLine({ username, name, realName, role }: Named, isNamesake: boolean, school = ""): string {
  const more = [realName, isNamesake && username, isNamesake && school, isAdult(role) && roleNames[role ?? "teacher"]];
  const said = more.filter(Boolean).join(", ");
  if (!said) return name;
  // A long name must not push out of sight who it really is.
  const letters = [...name];
  return `${letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join("")}…` : name} (${said})`;
}

const LONGEST = 30;

const folded = (name: string): string => name.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
