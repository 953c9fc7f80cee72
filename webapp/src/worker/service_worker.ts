/**
 * The service worker of the app: it keeps the app's files, so that the app opens without a
 * connection, and shows pushes. It never keeps answers of the API: those are the page's to keep.
 *
 * The build fills in the files and their version.
 */

declare const self: ServiceWorkerGlobalScope & {
  addEventListener(type: "sync", listener: (event: ExtendableEvent & { tag: string }) => void): void;
  addEventListener(type: "pushsubscriptionchange", listener: (event: ExtendableEvent) => void): void;
};
declare const __FILES__: string[];
/** Kept from their first use on. */
declare const __LATER__: string[];
declare const __VERSION__: string;

const CACHE = `app-${__VERSION__}`;
const START = "/app/";
const ALWAYS = [START, "/app/icon.svg", "/app/manifest.webmanifest", "/app/manifest.sv.webmanifest", "/app/start.js"];

self.addEventListener("install", (event) => {
  event.waitUntil(keepFiles().then(() => self.skipWaiting()));
});

async function keepFiles(): Promise<void> {
  const later = await usedLater();
  const cache = await caches.open(CACHE);
  // The start page names the files, so it comes past the browser's cache.
  await cache.addAll([...ALWAYS.map((each) => new Request(each, { cache: "reload" })), ...__FILES__, ...later]);
}

/** Those that the version before has kept: then they are needed offline in this one, too. */
async function usedLater(): Promise<string[]> {
  const kept: string[] = [];
  for (const name of await caches.keys()) {
    if (!name.startsWith("app-")) continue;
    for (const { url } of await (await caches.open(name)).keys()) kept.push(new URL(url).pathname);
  }
  return __LATER__.filter((path) => kept.some((each) => each.startsWith(path.slice(0, path.indexOf("-") + 1))));
}

self.addEventListener("activate", (event) => {
  event.waitUntil(forgetOldVersions().then(() => self.clients.claim()));
});

async function forgetOldVersions(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("app-") && name !== CACHE).map((name) => caches.delete(name)));
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate" && pathname.startsWith(START)) event.respondWith(startPage(request));
  else if (__FILES__.includes(pathname) || __LATER__.includes(pathname) || ALWAYS.includes(pathname)) event.respondWith(file(request));
});

/** The newest start page, or the kept one when there is no connection or the service is too slow. */
async function startPage(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(START, { ignoreVary: true });
  try {
    // A page that is shown, unlike the one that is kept, may say that nobody is signed in.
    const response = await fetch(request.url, { headers: { Accept: "text/html" }, signal: AbortSignal.timeout(kept ? 3_000 : 30_000) });
    if (response.ok || !kept) return response;
  } catch (error) {
    if (!kept) throw error;
  }
  return kept;
}

/** Files have the hash of their content in their name: a kept one is the right one. */
async function file(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  // A proxy may say that they vary, by their compression for example.
  const kept = await cache.match(request, { ignoreVary: true });
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok && __LATER__.includes(new URL(request.url).pathname)) await cache.put(request, response.clone());
  return response;
}

/** There is a connection again: ends a session that was signed out without one (`session/owed.ts`). */
self.addEventListener("sync", (event) => {
  const [what, session = ""] = event.tag.split("/", 2);
  if (what === "sign-out") event.waitUntil(navigator.locks.request("cookies", () => endSession(session)));
});

async function endSession(session: string): Promise<void> {
  const options = { method: "POST", headers: { "X-Session": session }, signal: AbortSignal.timeout(20_000) };
  const answer = await fetch("/api/logout", options);
  // The browser tries again.
  if (!answer.ok) throw new Error("not signed out");
}

/** The browser has ended the subscription. What fails here, the app does at its next start. */
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(subscribeAgain().catch(() => undefined)));

async function subscribeAgain(): Promise<void> {
  const answer = await fetch("/api/push/key", { signal: AbortSignal.timeout(20_000) });
  if (!answer.ok) return; // signed out, or the service sends no pushes
  const { key } = (await answer.json()) as { key: string };
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const body = JSON.stringify(await self.registration.pushManager.subscribe(options));
  await fetch("/api/push/subscriptions", { method: "POST", body, signal: AbortSignal.timeout(20_000) });
}

interface Shown extends NotificationOptions {
  title: string;
  navigate: string;
}

self.addEventListener("push", (event) => {
  const { title, navigate, ...options } = readPush(event);
  // Browsers demand a notification for every push. One with the same tag replaces the last one.
  const look = { icon: "/app/icon-192.png", badge: "/app/icon-192.png" };
  event.waitUntil(self.registration.showNotification(title, { ...look, ...options, data: { navigate } }).then(countOnIcon));
});

/** The app says the right number as soon as it is open. */
async function countOnIcon(): Promise<void> {
  const shown = await self.registration.getNotifications();
  await self.navigator.setAppBadge?.(shown.length).catch(() => undefined);
}

function readPush(event: PushEvent): Shown {
  const unknown = { title: "School", navigate: START };
  try {
    return { ...unknown, ...(event.data?.json() as { notification?: Shown } | undefined)?.notification };
  } catch {
    return unknown;
  }
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openApp((event.notification.data as { navigate: string }).navigate));
});

async function openApp(url: string): Promise<void> {
  const asked = new URL(url, self.location.origin);
  // Whatever a push says, it only opens the app.
  const address = asked.origin === self.location.origin ? asked : new URL(START, self.location.origin);
  const pages = await self.clients.matchAll({ type: "window" });
  const page = pages.find((each) => new URL(each.url).pathname.startsWith(START));
  if (!page) return void (await self.clients.openWindow(address));
  // Browsers allow it for a second after the click only.
  await page.focus().catch(() => undefined);
  await page.navigate(address);
}

export {};
