/** What every page needs of the notifications: how many are unread. */

import { effect, signal } from "@preact/signals";
import { api } from "../api/client";
import { good, Refused } from "../api/errors";
import type { components } from "../api/events";
import { who } from "../session/session";

type Events = components["schemas"];

export const unreadNotifications = signal(0);
/** Counts what came, changed or was read elsewhere, so that an open list reads itself again. */
export const notificationChanges = signal(0);
/** What was read or deleted last, here or elsewhere. */
export const lastEnded = signal<string[]>([]);

effect(() => {
  if (who.value === null) unreadNotifications.value = 0;
});

/** The number on the app's icon, where the browser shows one. Nobody's, when nobody is signed in. */
effect(() => {
  if (who.value === undefined) return;
  navigator.setAppBadge?.(unreadNotifications.value).catch(() => undefined);
});

/** A failure leaves the number as it is: it is read again when the connection is back. */
export async function loadUnread(): Promise<void> {
  try {
    const { unread } = await good(api.GET("/api/notifications", { params: { query: { limit: 1 } } }));
    unreadNotifications.value = unread;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}

/** For the events of the socket. */
export function followNotification(event: Events["NotificationCreatedEvent"] | Events["NotificationReadEvent"]): void {
  if (event.type === "notification.read") {
    unreadNotifications.value = event.unread;
    lastEnded.value = event.ids;
  } else if (event.notification.readAt === null) unreadNotifications.value += 1;
  notificationChanges.value += 1;
}
