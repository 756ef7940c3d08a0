import type { ComponentChildren } from "preact";

/** A choice of a few values, side by side: radio buttons, so that arrow keys and screen readers know them. */
export interface SegmentedProps<Value extends string> {
  /** Unique in the page; the ids of the radio buttons begin with it. */
  readonly name: string;
  /** For screen readers. */
  readonly label: string;
  /** Each value with its text, in the order shown. */
  readonly options: Readonly<Record<Value, ComponentChildren>>;
  readonly chosen: Value;
  /** Whether the label is shown as well. */
  readonly isLabelled?: boolean;
  choose(value: Value): void;
}

/** Draws it. */
export function Segmented<Value extends string>({ name, label, options, chosen, isLabelled, choose }: SegmentedProps<Value>) {
  const values: Value[] = [];
  for (const value in options) values.push(value); // unlike Object.keys, this has the type of the keys
  return (
    <fieldset class="segmented">
      <legend class={isLabelled === true ? undefined : "visually-hidden"}>{label}</legend>
      <span class="segments">
        {values.map((value) => (
          <label key={value}>
            <input type="radio" id={`${name}-${value}`} name={name} value={value} checked={value === chosen} onChange={() => choose(value)} />
            <span>{options[value]}</span>
          </label>
        ))}
      </span>
    </fieldset>
  );
}
