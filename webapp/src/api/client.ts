/** The client of the REST API. The types are generated from `/api/schema`. */

import createClient from "openapi-fetch";
import { inLanguage, language } from "../lib/language";
import { Refused } from "./errors";
import { renewSession } from "./revive";
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
  headers: { "Accept-Language": language },
  fetch: send,
});

/** Sends a request; after a 401 it renews the session once and sends the request again. */
async function send(request: Request): Promise<Response> {
  const again = request.clone();
  const response = await attempt(request);
  if (response.status !== 401 || isAboutSigningIn(request)) return response;
  const renewal = await renewSession();
  if (renewal === "unavailable") throw new Refused(0, texts.offline, "offline");
  return renewal === "renewed" ? attempt(again) : response;
}

async function attempt(request: Request): Promise<Response> {
  try {
    return await fetch(request, { signal: AbortSignal.timeout(TIMEOUT) });
  } catch {
    throw new Refused(0, texts.offline, "offline");
  }
}

function isAboutSigningIn(request: Request): boolean {
  return /\/api\/(login|logout|refresh)$/.test(request.url);
}
