import { LocationProvider, ErrorBoundary } from "preact-iso";
import { useEffect } from "preact/hooks";
import { language } from "../lib/language";
import { SignIn } from "../pages/sign_in";
import { isNobody, who } from "../session/session";
import { whenNeeded } from "./when_needed";

/** Whoever is not signed in sees the sign-in page sooner without it. */
const Shell = whenNeeded(() => import("./shell"));
if (!isNobody) void Shell.preload();

/** The whole app: the sign-in page, or the pages of the person who is signed in. */
export function App() {
  useEffect(() => {
    document.documentElement.lang = language;
  }, []);
  const person = who.value;
  if (person === undefined) return null;
  if (person === null) return <SignIn />;
  return (
    // With the username as key, nothing of one account is left on the pages of the next.
    <LocationProvider scope="/app" key={person.session.username}>
      <ErrorBoundary>
        <Shell />
      </ErrorBoundary>
    </LocationProvider>
  );
}
