import { useLocation } from "preact-iso";
import { Component, type ComponentChildren } from "preact";
import { inLanguage } from "../lib/language";
import { Page } from "./page";

const texts = inLanguage({
  en: {
    title: "This page could not be opened",
    offline: "You are offline, and the page is not kept on this device. Reload it when you have a connection.",
    missing: "A part of the app did not arrive. There may be a new version, or the connection was broken.",
    broken: "There is a mistake in the app. What you wrote and sent before is safe.",
    reload: "Reload",
    today: "Today",
  },
  sv: {
    title: "Sidan gick inte att öppna",
    offline: "Du är offline, och sidan finns inte på enheten. Ladda om den när du har en anslutning.",
    missing: "En del av appen kom inte fram. Det kan finnas en ny version, eller så bröts anslutningen.",
    broken: "Det är ett fel i appen. Det du har skrivit och skickat innan är kvar.",
    reload: "Ladda om",
    today: "Idag",
  },
});

/** In place of a page whose file did not arrive, or that failed with this error. */
export function PageFailed({ error }: { error?: Error }) {
  const what = error ? texts.broken : navigator.onLine ? texts.missing : texts.offline;
  return (
    <Page title={texts.title}>
      <p>{what}</p>
      {error && <p class="quiet">{error.message}</p>}
      <div class="button-row">
        <button type="button" class="button" onClick={() => location.reload()}>
          {texts.reload}
        </button>
        <a class="button-quiet" href="/app/">
          {texts.today}
        </a>
      </div>
    </Page>
  );
}

interface Props {
  children: ComponentChildren;
}

/** Shows `PageFailed` in place of a page with a mistake, until another page is opened. */
export function PageErrors({ children }: Props) {
  const { path } = useLocation();
  return <Boundary path={path}>{children}</Boundary>;
}

class Boundary extends Component<Props & { path: string }, { error?: Error; path?: string }> {
  override componentDidCatch(error: Error): void {
    console.error(error);
    this.setState({ error, path: this.props.path });
  }

  override render() {
    const { error, path } = this.state;
    return error && path === this.props.path ? <PageFailed error={error} /> : this.props.children;
  }
}
