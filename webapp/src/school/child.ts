/** Which child a guardian looks at. Other roles have none. */

import { effect, signal } from "@preact/signals";
import { api, type Schemas } from "../api/client";
import { good, Refused } from "../api/errors";
import { keepCopy, readCopy } from "../device/store";
import { ownName, who } from "../session/session";

export type Child = Schemas["NamedChild"];
type Children = Schemas["Children"];

/** Chosen on this device: "username child", so that it is nobody else's choice. */
const chosen = signal(localStorage.getItem("child"));
/** The default of the settings, for when nobody chose here. */
const preferred = signal<string | null>(null);

effect(() => {
  if (isGuardian() && children().length > 1) void loadDefault();
  else preferred.value = null;
});

export function children(): Child[] {
  return (who.value?.children ?? []) as Child[];
}

/** The chosen child, else the default, else the only child; `undefined` when the guardian has to choose. */
export function currentChild(): Child | undefined {
  const all = children();
  const known = (id: string | null) => all.find((each) => each.id === id);
  const [username, id = null] = chosen.value?.split(" ") ?? [];
  return known(username === ownName() ? id : null) ?? known(preferred.value) ?? (all.length === 1 ? all[0] : undefined);
}

export function chooseChild(id: string): void {
  chosen.value = `${ownName()} ${id}`;
  localStorage.setItem("child", chosen.value);
}

/** A new default replaces what was chosen here. `null`: there is none. */
export function preferChild(id: string | null): void {
  localStorage.removeItem("child");
  chosen.value = null;
  preferred.value = id;
}

/** Without an answer, the default that was read last stays. */
async function loadDefault(): Promise<void> {
  preferred.value ??= (await readCopy<Children>("children"))?.data.default ?? null;
  try {
    const answer = await good(api.GET("/api/children"));
    preferred.value = answer.default;
    await keepCopy("children", answer);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}

export function isGuardian(): boolean {
  return who.value?.role === "guardian";
}
