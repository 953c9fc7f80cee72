/**
 * Pushes to this browser. The service knows each browser by an id, which is kept beside the copies
 * with the address of its pushes: it is gone after signing out, as the subscription is.
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
export type EndedSubscription = Schemas["EndedSubscription"];

interface Own {
  id: string;
  endpoint: string;
}

const OWN = "push-subscription";
let renewal: Promise<void> = Promise.resolve();

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

interface State {
  /** Where the person receives pushes, and to which devices they have stopped. */
  subscriptions: Subscription[];
  ended: EndedSubscription[];
  ownId: string | undefined;
  /** Push was on in this browser, and the browser or its push service has ended it. */
  hasStopped: boolean;
}

/** The subscriptions, after a renewal of this browser's. */
export async function readSubscriptions(): Promise<State> {
  await renewal;
  const [{ subscriptions, ended }, own, here] = await Promise.all([readList(), readOwn(), browserSubscription()]);
  const ownId = here ? subscriptions.find(({ id }) => id === own?.id)?.id : undefined;
  const others = ended.filter(({ id }) => id !== own?.id);
  return { subscriptions, ended: others, ownId, hasStopped: own !== undefined && ownId === undefined };
}

/** Asks for the permission and subscribes. Called by a press of a button only; false when denied. */
export async function turnOnPush(key: string): Promise<boolean> {
  // First of all: Safari asks only in direct answer to a press.
  if ((await Notification.requestPermission()) !== "granted") return false;
  await tell(await subscribe(key));
  return true;
}

export async function turnOffPush(id: string): Promise<void> {
  await endSubscription(id);
  await dropCopy(OWN);
  await (await browserSubscription())?.unsubscribe();
}

export async function endSubscription(id: string): Promise<void> {
  const path = { subscription_id: id };
  await good(api.DELETE("/api/push/subscriptions/{subscription_id}", { params: { path } }));
}

/**
 * At the start of the app: subscribes again if push is on in this browser and the browser has lost its
 * subscription, or the push service has ended it.
 */
export function renewPush(): void {
  renewal = renew().catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error;
  });
}

async function renew(): Promise<void> {
  if (!canPush() || Notification.permission !== "granted") return;
  const own = await readOwn();
  if (!own) return;
  const [{ subscriptions, ended }, here] = await Promise.all([readList(), browserSubscription()]);
  const isKnown = subscriptions.some(({ id }) => id === own.id);
  const hasEnded = ended.some(({ id }) => id === own.id);
  if (here && here.endpoint !== own.endpoint) {
    await tell(here); // the browser or the service worker has renewed it
  } else if (!isKnown && !hasEnded) {
    return dropCopy(OWN); // it was removed on another device
  } else if (!here || hasEnded) {
    const key = await readPushKey();
    if (key === null) return;
    await tell(await subscribe(key));
  }
  const isReplaced = (await readOwn())?.id !== own.id;
  if (isKnown && isReplaced) await endSubscription(own.id);
}

const readList = () => good(api.GET("/api/push/subscriptions"));

async function readOwn(): Promise<Own | undefined> {
  // An earlier version kept the id only.
  const own = (await readCopy<Own | string>(OWN))?.data;
  return typeof own === "string" ? { id: own, endpoint: "" } : own;
}

async function tell(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  if (!endpoint || !keys?.p256dh || !keys.auth) throw new Refused(0, texts.failed, "push_failed");
  const body = { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } };
  const { subscription: known } = await good(api.POST("/api/push/subscriptions", { body }));
  await keepCopy<Own>(OWN, { id: known.id, endpoint });
}

async function subscribe(key: string): Promise<PushSubscription> {
  return newSubscription(key).catch(() => {
    throw new Refused(0, texts.failed, "push_failed");
  });
}

async function newSubscription(key: string): Promise<PushSubscription> {
  await navigator.serviceWorker.register(workerAddress(), { scope: "/app/" });
  const { pushManager } = await navigator.serviceWorker.ready;
  // One that was made with another key, or by another account, is not used again.
  await (await pushManager.getSubscription())?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

async function browserSubscription(): Promise<PushSubscription | null> {
  if (!canPush()) return null;
  const registration = await navigator.serviceWorker.getRegistration("/app/");
  return (await registration?.pushManager.getSubscription()) ?? null;
}
