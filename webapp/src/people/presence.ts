/** Who is in the service now. Only friends, and people of one's conversations, are ever shown. */

import { api, type Schemas } from "../api/client";
import { good, Refused } from "../api/errors";
import { presence } from "../live/state";

export type Presence = Schemas["PresenceStatus"];

const MOST_AT_ONCE = 100;

/** Reads who of these people is there. A failure leaves what is known: it is only an extra. */
export async function loadPresence(usernames: string[]): Promise<void> {
  for (let start = 0; start < usernames.length; start += MOST_AT_ONCE) {
    const users = usernames.slice(start, start + MOST_AT_ONCE);
    const querySerializer = { array: { style: "form", explode: false } } as const;
    try {
      const { presences } = await good(api.GET("/api/presence", { params: { query: { users } }, querySerializer }));
      presence.value = { ...presence.value, ...presences };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }
}
