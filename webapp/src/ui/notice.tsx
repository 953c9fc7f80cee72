import type { ComponentChildren } from "preact";
import { Icon } from "./icon";

interface Props {
  kind?: "info" | "warning" | "error";
  children: ComponentChildren;
  onRetry?: (() => void) | undefined;
  retry?: string;
}

/** A sentence about the page. Errors are read aloud at once, the rest when there is time. */
export function Notice({ kind = "info", children, onRetry, retry }: Props) {
  return (
    <div class={`notice notice-${kind}`} role={kind === "error" ? "alert" : "status"}>
      {kind !== "info" && <Icon name="warning" />}
      <div>{children}</div>
      {onRetry && (
        <button type="button" class="button-quiet" onClick={onRetry}>
          {retry}
        </button>
      )}
    </div>
  );
}
