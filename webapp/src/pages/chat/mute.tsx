import { api } from "../../api/client";
import { good } from "../../api/errors";
import { inLanguage } from "../../lib/language";
import { useResource } from "../../lib/use_resource";
import { useAction } from "../../ui/use_action";

const texts = inLanguage({
  en: { label: "Mute: no pushes from this chat" },
  sv: { label: "Tyst: inga pushnotiser från chatten" },
});

/** Whether messages of this conversation are pushed. */
export function Mute({ id }: { id: string }) {
  const settings = useResource("notification-settings", () => good(api.GET("/api/notifications/settings")));
  const { run } = useAction();
  const muted = settings.data?.settings.muted ?? [];
  const change = (isMuted: boolean) =>
    run(async () => {
      const body = { muted: isMuted ? [...muted, id] : muted.filter((each) => each !== id) };
      settings.replace(await good(api.PATCH("/api/notifications/settings", { body })));
    });
  return (
    <label class="check">
      <input type="checkbox" disabled={!settings.data} checked={muted.includes(id)} onChange={(event) => void change(event.currentTarget.checked)} />
      {texts.label}
    </label>
  );
}
