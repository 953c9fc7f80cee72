"""The smallest app that receives pushes: an empty page, scripts for it, and a service worker."""

from pathlib import Path
from typing import Final

SERVICE_WORKER: Final = Path(__file__).resolve().parents[2] / "examples/push/service-worker.js"
FILES: Final = {
    "/": (b"<!doctype html><title>App</title>", "text/html"),
    "/service-worker.js": (SERVICE_WORKER.read_bytes(), "text/javascript"),
}
"""By path: content and type."""

# Each is the body of an async function; `args` are its arguments.
SUBSCRIBE: Final = """
    await navigator.serviceWorker.register("/service-worker.js");
    const registration = await navigator.serviceWorker.ready;
    const [applicationServerKey] = args;
    const options = { userVisibleOnly: true, applicationServerKey };
    return (await registration.pushManager.subscribe(options)).toJSON();
"""
UNSUBSCRIBE: Final = """
    const registration = await navigator.serviceWorker.ready;
    return (await registration.pushManager.getSubscription()).unsubscribe();
"""
# The browser tells the push service before the service worker has shown anything.
SHOWN: Final = """
    const registration = await navigator.serviceWorker.ready;
    const [wanted] = args;
    const fields = ({ title, body, tag, lang, data }) => ({ title, body, tag, lang, data });
    for (;;) {
        const shown = await registration.getNotifications();
        if (shown.some((each) => each.title === wanted)) return shown.map(fields);
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
"""
