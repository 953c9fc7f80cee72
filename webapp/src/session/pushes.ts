/** Takes away what pushes have shown, and ends them in this browser: they were for who was signed in. */
export async function forgetPushes(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration("/app/");
    for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
    await (await registration?.pushManager?.getSubscription())?.unsubscribe();
  } catch {
    // The browser has no pushes, or cannot reach their service: ours ends them with the session.
  }
}
