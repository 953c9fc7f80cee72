/** Installing the app, where the browser offers it. Nothing pops up: the person finds it in the settings. */

import { signal } from "@preact/signals";

/** Of Chromium only. */
interface InstallPrompt extends Event {
  prompt: () => Promise<unknown>;
}

const offered = signal<InstallPrompt>();

export function watchForInstallPrompt(): void {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    offered.value = event as InstallPrompt;
  });
  addEventListener("appinstalled", () => (offered.value = undefined));
}

/** Asks the person in the browser's own words. The browser offers it once; it may do so again later. */
export function install(): void {
  void offered.value?.prompt();
  offered.value = undefined;
}

/** How the app can be installed here: by a button, or by hand in the browser's menu (iPhone and iPad). */
export function wayToInstall(): "button" | "by-hand" | undefined {
  if (matchMedia("(display-mode: standalone)").matches) return undefined;
  if (offered.value) return "button";
  // Only those browsers say whether they show an installed app.
  return "standalone" in navigator && !navigator.standalone ? "by-hand" : undefined;
}
