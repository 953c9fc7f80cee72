/** The client of the REST API. The types are generated from `/api/schema`. */

import createClient from "openapi-fetch";
import { shownOwner } from "../device/store";
import { inLanguage, language } from "../lib/language";
import { Refused } from "./errors";
import { refusalOf, renewSession, verdict } from "./revive";
import type { components, paths } from "./schema";

export type Schemas = components["schemas"];

/** The school's system may need eight seconds; the service answers soon after. */
const TIMEOUT = 20_000;

const texts = inLanguage({
  en: { offline: "No connection. Check the network and try again." },
  sv: { offline: "Ingen anslutning. Kontrollera nätet och försök igen." },
});

export const api = createClient<paths>({
  baseUrl: location.origin,
  // The browser keeps no copies beside ours, which nobody could take away again. The header stands
  // there because browsers would write `no-cache`, which asks the school again.
  cache: "no-store",
  headers: { "Accept-Language": language, "Cache-Control": "no-store" },
  fetch: send,
});

/** Sends a request; after a 401 it renews the session once and sends the request again. */
async function send(request: Request): Promise<Response> {
  if (isAboutSigningIn(request)) return attempt(request);
  // All tabs share the cookies, which may be somebody else's by now: then the service refuses.
  const owner = shownOwner();
  if (owner && !isAboutWho(request)) request.headers.set("X-Session", owner.session);
  const again = request.clone();
  const response = await attempt(request);
  if (response.status !== 401) return heeded(response);
  if ((await refusalOf(response)).code === "other_session") return heeded(response);
  const renewal = await renewSession();
  if (renewal === "unavailable") throw new Refused(0, texts.offline, "offline");
  return renewal === "renewed" ? heeded(await attempt(again)) : response;
}

/** The answer, after the rest of the app was told if nothing can be had with this session any more. */
async function heeded(response: Response): Promise<Response> {
  if (response.status !== 401 && response.status !== 403) return response;
  const refused = await refusalOf(response);
  if (refused.code === "other_session" || refused.code === "account_suspended") verdict.value = refused;
  return response;
}

async function attempt(request: Request): Promise<Response> {
  try {
    return await fetch(request, { signal: AbortSignal.timeout(TIMEOUT) });
  } catch {
    throw new Refused(0, texts.offline, "offline");
  }
}

/** Whose cookies they are is asked of the service, and compared here. */
function isAboutWho(request: Request): boolean {
  return new URL(request.url).pathname === "/api/session";
}

function isAboutSigningIn(request: Request): boolean {
  return /^\/api\/(login|logout|refresh|v2\/\w+)$/.test(new URL(request.url).pathname);
}
