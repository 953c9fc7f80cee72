import { useLocation } from "preact-iso";
import { useEffect } from "preact/hooks";
import { inLanguage } from "../lib/language";
import { appPath } from "../notifications/paths";
import { Page } from "../shell/page";

const texts = inLanguage({
  en: { title: "There is nothing here", text: "Check the address, or begin again with today." , today: "Today" },
  sv: { title: "Här finns inget", text: "Kontrollera adressen, eller börja om med idag.", today: "Idag" },
});

/** A path that is no page. Pushes name a path of the API ("/app/conversations/…"): they lead to its page. */
export function NotFound() {
  const { path, url, route } = useLocation();
  const meant = appPath(url.replace(/^\/app/, ""));
  const pathMeant = meant.replace(/\?.*$/s, "");
  const isMeant = pathMeant !== "/app/" && pathMeant !== path;
  useEffect(() => {
    if (isMeant) route(meant, true);
  }, [meant]);
  if (isMeant) return null;
  return (
    <Page title={texts.title}>
      <p>{texts.text}</p>
      <p>
        <a class="link-alone" href="/app/">{texts.today}</a>
      </p>
    </Page>
  );
}
