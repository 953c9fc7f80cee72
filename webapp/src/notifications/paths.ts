/** Paths of the API's notifications, which every app of the service maps to its own. */

import type { Schemas } from "../api/client";

const OTHERS: Record<string, string> = {
  "/friends": "/app/people",
  "/invites": "/app/people",
  "/profile": "/app/settings/profile",
  "/schedule": "/app/week",
  "/assignments": "/app/week",
  // A person whose login has ended is shown the sign-in page everywhere.
  "/login": "/app/",
  "/": "/app/",
};

/** The path in this app. What it does not know is looked for under the same name. */
export function appPath(url: string): string {
  const [, address = "", query = ""] = /^([^?]*)(.*)$/s.exec(url) ?? [];
  const path = address.replace(/\/+$/, "") || "/";
  const known = OTHERS[path];
  if (known) return known + query;
  // Never to another site, whatever a notification says.
  if (!/^\/[^/\\]/.test(path)) return "/app/notifications";
  return `/app${path.replace(/^\/conversations\//, "/chats/")}${query}`;
}

/** Where a notification leads: to the thing itself where it is known, for the child that it is about. */
export function pathOf({ kind, url, data }: Pick<Schemas["Notification"], "kind" | "url" | "data">): string | undefined {
  const child = data.child ? `?child=${encodeURIComponent(data.child)}` : "";
  if (data.assignmentId) return `/app/assignments/${encodeURIComponent(data.assignmentId)}${child}`;
  if (data.newsId) return `/app/news/${encodeURIComponent(data.newsId)}${child}`;
  if (kind === "inbox" && data.messageId) return `/app/inbox/${encodeURIComponent(data.messageId)}${child}`;
  if (!url) return undefined;
  return appPath(url) + (url.includes("?") ? child.replace("?", "&") : child);
}
