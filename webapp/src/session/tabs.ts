/** Tells the other tabs of this browser that somebody has signed in or out, and hears it from them. */

const channel = new BroadcastChannel("account");

export const tellTabs = (): void => channel.postMessage("changed");

/** Calls `heed` when another tab says so, and when this one wakes up and may have missed it. */
export function onChangeElsewhere(heed: () => void): void {
  channel.onmessage = heed;
  // Also a page that the browser had put aside, and shows again when somebody goes back.
  for (const event of ["pageshow", "focus", "online"]) addEventListener(event, heed);
  document.addEventListener("visibilitychange", heed);
}
