import { Field } from "../ui/field";

interface Props<Value extends string> {
  label: string;
  names: Record<Value, string>;
  value: Value;
  onChange: (value: Value) => void;
}

/** A choice between a few named values. */
export function ChoiceField<Value extends string>({ label, names, value, onChange }: Props<Value>) {
  return (
    <Field label={label}>
      {(attributes) => (
        <select {...attributes} value={value} onChange={(event) => onChange(event.currentTarget.value as Value)}>
          {Object.entries<string>(names).map(([each, name]) => (
            <option key={each} value={each}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
