/** A file of the app that does not come may belong to an older version than the one that is there now. */

const PAUSE = 60_000;

/**
 * Loads the page again, at its present address, where that may bring a newer version: not without a
 * connection, and not twice within a minute. Returns whether it does.
 */
export function reloadForNewVersion(): boolean {
  const last = Number(sessionStorage.getItem("reloaded-at") ?? 0);
  if (!navigator.onLine || Date.now() - last < PAUSE) return false;
  sessionStorage.setItem("reloaded-at", String(Date.now()));
  location.reload();
  return true;
}
