import { useLocation } from "preact-iso";
import { useEffect } from "preact/hooks";
import { inLanguage } from "../lib/language";
import { follow } from "../live/follow";
import { unreadChats } from "../live/state";
import { renewPush } from "../notifications/push";
import { loadUnread, unreadNotifications } from "../notifications/state";
import { useNamedChild } from "../school/named_child";
import { Icon, type IconName } from "../ui/icon";
import { OfflineBar } from "./offline_bar";
import { Pages } from "./pages";
import { showFromPlace } from "./way_back";

const texts = inLanguage({
  en: {
    skip: "Skip to the content",
    main: "Main",
    today: "Today",
    week: "Week",
    chats: "Chats",
    notifications: "Alerts",
    more: "More",
    unread: (count: number) => `${count} unread`,
  },
  sv: {
    skip: "Hoppa till innehållet",
    main: "Huvudmeny",
    today: "Idag",
    week: "Vecka",
    chats: "Chattar",
    notifications: "Notiser",
    more: "Mer",
    unread: (count: number) => (count === 1 ? "1 oläst" : `${count} olästa`),
  },
});

interface Tab {
  path: string;
  name: string;
  icon: IconName;
  /** Other paths that belong to the tab. */
  also?: RegExp;
  count?: number;
}

/** The frame around every page of somebody who is signed in. */
export default function Shell() {
  const { path } = useLocation();
  useNamedChild();
  useEffect(() => {
    void loadUnread();
    renewPush();
    return follow();
  }, []);
  useEffect(showFromPlace, [path]);

  const tabs: Tab[] = [
    { path: "/app", name: texts.today, icon: "home", also: /^\/app\/assignments\// },
    { path: "/app/week", name: texts.week, icon: "calendar" },
    { path: "/app/chats", name: texts.chats, icon: "chat", count: unreadChats.value },
    { path: "/app/notifications", name: texts.notifications, icon: "bell", count: unreadNotifications.value },
    { path: "/app/more", name: texts.more, icon: "menu", also: /^\/app\/(people|notes|news|inbox|results|attendance|assessments|subjects|plannings|todo|calendar|class|staff|files|settings|countdowns|search)/ },
  ];
  return (
    <div class="shell">
      <a class="button skip-link" href="#main">
        {texts.skip}
      </a>
      <main id="main" class="shell-main" tabIndex={-1}>
        <OfflineBar />
        <Pages />
      </main>
      <nav class="tabs" aria-label={texts.main}>
        <ul>
          {tabs.map((tab) => (
            <li key={tab.path}>
              <TabLink tab={tab} isCurrent={isCurrent(tab, path)} />
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}

function isCurrent({ path, also }: Tab, current: string): boolean {
  return current === path || (path !== "/app" && current.startsWith(`${path}/`)) || (also?.test(current) ?? false);
}

function TabLink({ tab, isCurrent }: { tab: Tab; isCurrent: boolean }) {
  return (
    <a href={tab.path === "/app" ? "/app/" : tab.path} aria-current={isCurrent ? "page" : undefined}>
      <Icon name={tab.icon} />
      {tab.name}
      {!!tab.count && (
        <span class="count">
          <span aria-hidden="true">{Math.min(tab.count, 99)}</span>
          <span class="visually-hidden"> {texts.unread(tab.count)}</span>
        </span>
      )}
    </a>
  );
}
