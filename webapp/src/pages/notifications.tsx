import { inLanguage } from "../lib/language";
import { useNow } from "../lib/use_now";
import { NotificationRow } from "../notifications/notification_row";
import { useNotifications } from "../notifications/use_notifications";
import { Page } from "../shell/page";
import { Icon } from "../ui/icon";
import { Loaded } from "../ui/loaded";
import { Notice } from "../ui/notice";

const texts = inLanguage({
  en: {
    title: "Alerts",
    settings: "Alert settings",
    all: "Mark all as read",
    none: "Nothing has happened yet. What concerns you will be listed here.",
    more: "Show more",
  },
  sv: {
    title: "Notiser",
    settings: "Inställningar för notiser",
    all: "Markera allt som läst",
    none: "Inget har hänt än. Här listas det som rör dig.",
    more: "Visa fler",
  },
});

/** What happened while the person was away, newest first. */
export default function Notifications() {
  const { resource, error, ...list } = useNotifications();
  const now = useNow();
  const settings = (
    <a class="button-icon" href="/app/settings/notifications" aria-label={texts.settings}>
      <Icon name="settings" />
    </a>
  );
  return (
    <Page title={texts.title} actions={settings}>
      {error && <Notice kind="error">{error.message}</Notice>}
      <Loaded resource={resource}>
        {({ notifications, next, unread }) => (
          <div class="stack">
            {unread > 0 && (
              <div class="button-row">
                <button type="button" class="button-quiet" onClick={() => list.mark({ all: true })}>
                  <Icon name="check" />
                  {texts.all}
                </button>
              </div>
            )}
            {notifications.length === 0 && <p class="empty">{texts.none}</p>}
            {notifications.length > 0 && (
              <ul class="rows">
                {notifications.map((each) => (
                  <NotificationRow
                    key={each.id}
                    notification={each}
                    now={now}
                    onRead={() => list.mark({ id: each.id })}
                    onDelete={() => list.remove(each.id)}
                  />
                ))}
              </ul>
            )}
            {next && (
              <button type="button" class="button-quiet" disabled={list.isReadingMore} onClick={list.readMore}>
                {texts.more}
              </button>
            )}
          </div>
        )}
      </Loaded>
    </Page>
  );
}
