import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Props {
  label: string;
  hint?: string | undefined;
  /** What is wrong, in the words of the service. */
  errors?: string[] | undefined;
  children: (attributes: { id: string; "aria-describedby"?: string; "aria-invalid"?: boolean }) => ComponentChildren;
}

/** A labelled control with a hint and the errors of its value. */
export function Field({ label, hint, errors, children }: Props) {
  const id = useId();
  const about = `${id}-about`;
  const attributes = {
    id,
    ...(hint || errors ? { "aria-describedby": about } : {}),
    ...(errors ? { "aria-invalid": true } : {}),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(attributes)}
      {(hint || errors) && (
        <p id={about} class={errors ? "field-error" : "field-hint"}>
          {errors?.join(" ") ?? hint}
        </p>
      )}
    </div>
  );
}
