import { useEffect, useRef, useState } from "preact/hooks";
import { api, type Schemas } from "../api/client";
import { good, Refused } from "../api/errors";
import { useResource, type Resource } from "../lib/use_resource";
import { useAction } from "../ui/use_action";
import { lastEnded, notificationChanges, unreadNotifications } from "./state";

type List = Schemas["NotificationList"];
type ReadRequest = { id: string } | { all: true };

export interface Notifications {
  /** All pages that were read so far, newest first. */
  resource: Resource<List>;
  error: Refused | undefined;
  isReadingMore: boolean;
  readMore: () => void;
  mark: (request: ReadRequest) => void;
  remove: (id: string) => void;
}

/** The list, which grows by pages and follows what happens on other devices. */
export function useNotifications(): Notifications {
  const [hasMorePages, setMorePages] = useState(false);
  const [rowError, setRowError] = useState<Refused>();
  const paging = useAction();
  const resource = useResource("notifications", async () => counted(await readPage()));
  const { reload, replace } = resource;
  const latest = useRef(resource.data);
  latest.current = resource.data;

  const changesBefore = useRef(notificationChanges.value);
  useEffect(() => {
    // With more pages the list stays as it is: reading it again would take them away.
    if (notificationChanges.value !== changesBefore.current && !hasMorePages) void reload();
    changesBefore.current = notificationChanges.value;
  }, [notificationChanges.value, reload]);

  const change = (changed: (list: List) => List) => {
    if (latest.current) replace(counted(changed(latest.current)));
  };
  useEffect(() => {
    const ended = new Set(lastEnded.value);
    // A list of several pages is not read again. A conversation that was read has no notification any more.
    if (hasMorePages && ended.size > 0) change((list) => ({ ...without(list, ended), unread: unreadNotifications.value }));
  }, [lastEnded.value]);
  const readMore = async () => {
    const cursor = latest.current?.next;
    if (!cursor) return;
    const page = await readPage(cursor);
    setMorePages(true);
    change((list) => ({ ...page, notifications: [...list.notifications, ...page.notifications] }));
  };
  const mark = async (request: ReadRequest) => {
    const { unread } = await good(api.POST("/api/notifications/read", { body: request }));
    const isMeant = (id: string) => !("id" in request) || request.id === id;
    const read = (each: Schemas["Notification"]) =>
      isMeant(each.id) ? { ...each, readAt: each.readAt ?? Date.now() } : each;
    unreadNotifications.value = unread;
    change((list) => ({ ...list, notifications: list.notifications.map(read), unread }));
  };
  const remove = async (id: string) => {
    await good(api.DELETE("/api/notifications/{notification_id}", { params: { path: { notification_id: id } } }));
    change((list) => {
      const wasUnread = list.notifications.some((each) => each.id === id && each.readAt === null);
      const notifications = list.notifications.filter((each) => each.id !== id);
      return { ...list, notifications, unread: list.unread - (wasUnread ? 1 : 0) };
    });
  };
  // Unlike `useAction`: somebody may delete several, one right after the other.
  const attempt = (work: Promise<void>) => {
    setRowError(undefined);
    work.catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error;
      setRowError(error);
    });
  };
  return {
    resource,
    error: rowError ?? paging.error,
    isReadingMore: paging.isRunning,
    readMore: () => void paging.run(readMore),
    mark: (request) => attempt(mark(request)),
    remove: (id) => attempt(remove(id)),
  };
}

function without(list: List, ended: Set<string>): List {
  const kept = list.notifications.filter((each) => !(ended.has(each.id) && each.kind === "message"));
  const read = kept.map((each) => (ended.has(each.id) ? { ...each, readAt: each.readAt ?? Date.now() } : each));
  return { ...list, notifications: read };
}

async function readPage(cursor?: string): Promise<List> {
  return good(api.GET("/api/notifications", { params: { query: { limit: 50, ...(cursor ? { cursor } : {}) } } }));
}

/** The same list, with the number of unread ones told to the rest of the app. */
function counted(list: List): List {
  unreadNotifications.value = list.unread;
  return list;
}
