// Shows pushes, and opens the app when one is clicked. Serve it from the root of your app's origin.

// A page that is open already is used, too.
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  const { title, navigate, ...options } = readNotification(event);
  options.data = { ...options.data, navigate };
  // Browsers demand a notification for every push. One with the same tag replaces the last one.
  event.waitUntil(self.registration.showNotification(title, options));
});

function readNotification(event) {
  const unknown = { title: "Something new", navigate: "/" };
  try {
    return event.data.json().notification ?? unknown;
  } catch {
    return unknown;
  }
}

// The browser has ended the subscription. What fails here, the app does at its next start.
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(subscribeAgain().catch(() => undefined)));

async function subscribeAgain() {
  const answer = await fetch("/api/push/key");
  if (!answer.ok) return; // signed out, or the service sends no pushes
  const options = { userVisibleOnly: true, applicationServerKey: (await answer.json()).key };
  const subscription = await self.registration.pushManager.subscribe(options);
  await fetch("/api/push/subscriptions", { method: "POST", body: JSON.stringify(subscription) });
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openApp(event.notification.data.navigate));
});

async function openApp(url) {
  const address = new URL(url, self.location.origin);
  const pages = await self.clients.matchAll({ type: "window" });
  const page = pages.find((each) => new URL(each.url).origin === address.origin);
  if (page === undefined) return self.clients.openWindow(address);
  // Browsers allow it for a second after the click only.
  await page.focus().catch(() => undefined);
  return page.navigate(address);
}
