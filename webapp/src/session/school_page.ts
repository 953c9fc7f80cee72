/**
 * Signing in through the school's own page: this page leads there, and the service brings the browser
 * back to the app, signed in or with a word about what went wrong.
 */

import { api } from "../api/client";
import { good } from "../api/errors";
import { inTurn } from "../api/in_turn";
import { settleOwedInTurn } from "./owed";

export const KINDS = ["student", "guardian", "staff"] as const;
export type Kind = (typeof KINDS)[number];

export const LOGIN_ERRORS = ["cancelled", "expired", "wrong_kind", "refused", "suspended", "try_again"] as const;
export type LoginError = (typeof LOGIN_ERRORS)[number];

const PARAMETER = "login_error";

/** What went wrong on the way back, said once: it leaves the address of the page. */
export const loginError: LoginError | undefined = takeLoginError();

function takeLoginError(): LoginError | undefined {
  const url = new URL(location.href);
  const word = url.searchParams.get(PARAMETER);
  if (word === null) return undefined;
  url.searchParams.delete(PARAMETER);
  history.replaceState(history.state, "", url);
  return LOGIN_ERRORS.find((each) => each === word) ?? "try_again";
}

/** Leads the browser to the school's own page; it comes back to the page that is shown now. */
export async function leaveForSchool(school: string, kind: Kind): Promise<void> {
  const query = { school, kind, return: location.pathname + location.search };
  const { url } = await inTurn(async () => {
    await settleOwedInTurn();
    return good(api.GET("/api/v2/authorize", { params: { query }, headers: { Accept: "application/json" } }));
  });
  location.assign(url);
}
