import { workerAddress } from "./trusted_types";

/** Registers the service worker, which keeps the app's files for use offline and shows pushes. */
export function registerServiceWorker(): void {
  if (!("serviceWorker" in navigator)) return;
  // After the page: the first visit should not share the line with it.
  addEventListener("load", () => {
    navigator.serviceWorker.register(workerAddress(), { scope: "/app/" }).catch(() => undefined);
  });
}
