// What is needed before the app itself is there.

// Where the app itself does not come, such as in the middle of an upgrade: says so, in place of an empty page.
addEventListener(
  "error",
  ({ target }) => {
    const app = document.getElementById("app");
    if (!(target instanceof HTMLScriptElement) || !app || app.firstChild) return;
    const isSwedish = navigator.language.startsWith("sv");
    const text = document.createElement("p");
    text.textContent = isSwedish
      ? "Appen kom inte fram. Det kan finnas en ny version, eller så bröts anslutningen."
      : "The app did not arrive. There may be a new version, or the connection was broken.";
    const button = document.createElement("button");
    button.textContent = isSwedish ? "Ladda om" : "Reload";
    button.onclick = () => location.reload();
    app.append(text, button);
  },
  true,
);

// The theme that the person chose, before the first picture (src/lib/theme.ts).
document.documentElement.dataset.theme = localStorage.getItem("theme") ?? "system";

// The installed app and its shortcuts in the language of the device.
if (navigator.language.startsWith("sv")) {
  const manifest = document.querySelector("link[rel=manifest]");
  if (manifest instanceof HTMLLinkElement) manifest.href = "/app/manifest.sv.webmanifest";
}
