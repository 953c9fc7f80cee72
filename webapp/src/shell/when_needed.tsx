import type { ComponentType } from "preact";
import { lazy } from "preact-iso";
import { reloadForNewVersion } from "../lib/new_version";
import { PageFailed } from "./page_failed";

/**
 * A component with a file of its own, which is loaded when it is first shown. When the file does not come, there
 * is a newer version of the app, or a page that says so.
 */
export function whenNeeded(load: () => Promise<{ default: ComponentType }>) {
  return lazy(() =>
    load().catch((error: unknown) => {
      console.warn(error);
      // The page that is left stays until the new one is there.
      return reloadForNewVersion() ? new Promise<never>(() => undefined) : { default: () => <PageFailed /> };
    }),
  );
}
