import { api, type Schemas } from "../api/client";
import { good, type Refused } from "../api/errors";
import { useResource, type Resource } from "../lib/use_resource";
import { useQueue } from "../ui/use_queue";

export type Settings = Schemas["Settings"];
type Answer = Schemas["SettingsAnswer"];
export type SettingsChange = Schemas["SettingsChangeRequest"];

export interface NotificationSettings {
  resource: Resource<Answer>;
  error: Refused | undefined;
  /** Shows the change at once and sends it; tells whether it was saved. */
  change: (wanted: SettingsChange) => Promise<boolean>;
}

/** What the person wants to be told, and how. Changes are sent one after the other. */
export function useNotificationSettings(): NotificationSettings {
  const resource = useResource("notification-settings", () => good(api.GET("/api/notifications/settings")));
  const { error, add } = useQueue();
  const { data, replace, reload } = resource;

  async function change(wanted: SettingsChange): Promise<boolean> {
    if (data) replace({ ...data, settings: merged(data.settings, wanted) });
    const wasSaved = await add(() => good(api.PATCH("/api/notifications/settings", { body: wanted })));
    if (!wasSaved) {
      if (data) replace(data);
      void reload();
    }
    return wasSaved;
  }
  return { resource, error, change };
}

const merged = (settings: Settings, { kinds, ...others }: SettingsChange): Settings => ({
  ...settings,
  ...others,
  kinds: { ...settings.kinds, ...kinds },
});
