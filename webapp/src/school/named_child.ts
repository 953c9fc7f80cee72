import { useLocation } from "preact-iso";
import { useLayoutEffect } from "preact/hooks";
import { children, chooseChild } from "./child";

/** Chooses the child that an address names, `?child=`, when it is opened. Notifications and pushes name theirs. */
export function useNamedChild(): void {
  const { url, query } = useLocation();
  // Before the page reads anything for the child of before.
  useLayoutEffect(() => {
    const named = children().find(({ id }) => id === query["child"]);
    if (named) chooseChild(named.id);
  }, [url]);
}
