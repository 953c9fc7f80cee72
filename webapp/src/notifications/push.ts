/**
 * Pushes to this browser. The service knows each browser by an id, which is kept beside the copies:
 * it is gone after signing out, as the subscription is.
 */

import { api, type Schemas } from "../api/client";
import { good, Refused } from "../api/errors";
import { keepCopy, readCopy, dropCopy } from "../device/store";
import { inLanguage } from "../lib/language";
import { workerAddress } from "../lib/trusted_types";

const texts = inLanguage({
  en: { failed: "Your browser could not turn on push. Try again later." },
  sv: { failed: "Webbläsaren kunde inte slå på push. Försök igen senare." },
});

export type Subscription = Schemas["PushSubscription"];

const ID = "push-subscription";
const DAY = 86_400_000;

export const canPush = (): boolean =>
  "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
export const isDenied = (): boolean => Notification.permission === "denied";

/** The key for subscribing; null where the service sends no pushes. */
export async function readPushKey(): Promise<string | null> {
  try {
    return (await good(api.GET("/api/push/key"))).key;
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return null;
    throw error;
  }
}

/** The id of this browser's subscription at the service, as far as the browser knows. */
export async function ownSubscriptionId(): Promise<string | undefined> {
  if (!canPush()) return undefined;
  const [id, subscription] = await Promise.all([readCopy<string>(ID), browserSubscription()]);
  return subscription ? id?.data : undefined;
}

/** Asks for the permission and subscribes. Called by a press of a button only; false when denied. */
export async function turnOnPush(key: string): Promise<boolean> {
  // First of all: Safari asks only in direct answer to a press.
  if ((await Notification.requestPermission()) !== "granted") return false;
  const subscription = await subscribe(key).catch(() => {
    throw new Refused(0, texts.failed, "push_failed");
  });
  await tell(subscription);
  return true;
}

export async function turnOffPush(id: string): Promise<void> {
  await endSubscription(id);
  await dropCopy(ID);
  await (await browserSubscription())?.unsubscribe();
}

export async function endSubscription(id: string): Promise<void> {
  const path = { subscription_id: id };
  await good(api.DELETE("/api/push/subscriptions/{subscription_id}", { params: { path } }));
}

/** At the start of the app, once a day: a browser may have changed the address of its pushes. */
export async function renewPush(): Promise<void> {
  if (!canPush()) return;
  const [id, subscription] = await Promise.all([readCopy<string>(ID), browserSubscription()]);
  if (!id || !subscription || Date.now() - id.at < DAY) return;
  await tell(subscription).catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error;
  });
}

async function tell(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  if (!endpoint || !keys?.p256dh || !keys.auth) throw new Refused(0, texts.failed, "push_failed");
  const body = { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } };
  const { subscription: known } = await good(api.POST("/api/push/subscriptions", { body }));
  await keepCopy(ID, known.id);
}

async function subscribe(key: string): Promise<PushSubscription> {
  await navigator.serviceWorker.register(workerAddress(), { scope: "/app/" });
  const { pushManager } = await navigator.serviceWorker.ready;
  // One that was made with another key, or by another account, is not used again.
  await (await pushManager.getSubscription())?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

async function browserSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration("/app/");
  return (await registration?.pushManager.getSubscription()) ?? null;
}
